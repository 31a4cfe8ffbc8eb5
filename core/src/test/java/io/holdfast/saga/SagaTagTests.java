package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SagaTagTests {

    @ParameterizedTest
    @EnumSource(SagaStatus.class)
    void namesWhetherTheSagaHasEnded(SagaStatus status) {
        List<String> tags = SagaTag.matching(List.of("trips", "a/COMPLETED"), status, null);

        assertThat(tags).isNotEmpty().allMatch(tag -> SagaTag.isFinal(tag) == status.isFinal());
    }
}
