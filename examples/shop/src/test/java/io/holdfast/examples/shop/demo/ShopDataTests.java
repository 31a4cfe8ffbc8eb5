package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.examples.shop.launcher.ShopStartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopDataTests {

    @Test
    void deletesNothingWhileADatabaseIsInUse(@TempDir Path data) throws Exception {
        Files.writeString(data.resolve("account.mv.db"), "");
        Path orders = data.resolve("order.mv.db");
        String url = "jdbc:h2:file:" + data.resolve("order");
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            assertThat(connection.isValid(1)).isTrue();

            assertThatThrownBy(() -> ShopData.remove(data))
                    .isInstanceOf(ShopStartException.class)
                    .hasMessage(orders + " is in use by a running or starting shop; stop it before you reset its data");
        }

        assertThat(data.resolve("account.mv.db")).exists();
        assertThat(orders).exists();
    }

    @Test
    void deletesOnlyTheFilesOfTheShop(@TempDir Path data) throws Exception {
        Files.writeString(data.resolve("account.mv.db"), "");
        Files.writeString(data.resolve("payment.trace.db"), "");
        Files.createDirectory(data.resolve("logs"));
        Files.writeString(data.resolve("logs").resolve("shop.log"), "");
        Files.writeString(data.resolve("letter.txt"), "");

        ShopData.remove(data);

        assertThat(data.resolve("letter.txt")).exists();
        assertThat(data).isDirectoryNotContaining("glob:**.db").isDirectoryNotContaining("glob:**logs");
    }
}
