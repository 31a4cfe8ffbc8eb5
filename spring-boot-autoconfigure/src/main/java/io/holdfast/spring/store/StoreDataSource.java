package io.holdfast.spring.store;

import io.holdfast.spring.properties.InvalidConfigurationException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/** Selects the DataSource of the service's store. */
final class StoreDataSource {

    static final String NO_DATA_SOURCE =
            "framework.store=jdbc needs a database: set spring.datasource.url, or add H2 to the class path"
                    + " for an embedded file, or set framework.store=memory if no data needs to survive";

    private StoreDataSource() {}

    /** @throws InvalidConfigurationException if there is no DataSource, or several without a primary one */
    static DataSource of(ObjectProvider<DataSource> dataSources) {
        DataSource dataSource = dataSources.getIfUnique();
        if (dataSource != null) {
            return dataSource;
        }
        throw new InvalidConfigurationException(
                dataSources.stream().findAny().isPresent()
                        ? "there are several DataSource beans and none is primary; mark the one for the service's"
                                + " events as @Primary"
                        : NO_DATA_SOURCE);
    }
}
