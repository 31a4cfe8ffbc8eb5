package io.holdfast.spring;

import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/** The DataSource that the service's store is in. */
final class StoreDataSource {

    static final String NO_DATA_SOURCE =
            "framework.store=jdbc needs a database: set spring.datasource.url, or put H2 on the class path"
                    + " for a file of its own, or choose framework.store=memory if nothing need survive";

    private StoreDataSource() {}

    /** @throws InvalidConfigurationException if it is not clear which one, saying what to choose */
    static DataSource of(ObjectProvider<DataSource> dataSources) {
        DataSource dataSource = dataSources.getIfUnique();
        if (dataSource != null) {
            return dataSource;
        }
        throw new InvalidConfigurationException(
                dataSources.stream().findAny().isPresent()
                        ? "there are several DataSource beans, and none of them is primary; mark the one that the"
                                + " service's events are to be in as @Primary"
                        : NO_DATA_SOURCE);
    }
}
