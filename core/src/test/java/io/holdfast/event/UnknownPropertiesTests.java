package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.PermanentException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** What one version writes survives the update of another version that does not know it. */
class UnknownPropertiesTests {

    private final PayloadCodec codec = new PayloadCodec();

    @Test
    void stayWhereTheyWere() {
        assertThat(updated("{'new':1,'name':'ann','more':[{'x':null}],'count':3}", Person.class, Person::older))
                .isEqualTo("{'new':1,'name':'ann','more':[{'x':null}],'count':4}");
    }

    @Test
    void leaveUnchangedTextAsItIs() {
        String text = "{ 'new' : 1.50, 'count':3, 'name':'ann' }";

        PayloadCodec.Decoded<Person> person = decode(text, Person.class);
        PayloadCodec.Decoded<Person> same = codec.encode(person.value(), person);

        assertThat(same.payload().json()).isEqualTo("{\"new\":1.50,\"count\":3,\"name\":\"ann\"}");
    }

    @Test
    void keepAllDigitsOfNumbers() {
        assertThat(updated(
                        "{'name':'ann','count':3,'a':12345678901234567890.1234567890,'b':1.10,'c':98765432109876543210}",
                        Person.class,
                        Person::older))
                .endsWith("'a':12345678901234567890.1234567890,'b':1.10,'c':98765432109876543210}");
    }

    @Test
    void areNotReportedIfThereAreNone() {
        assertThat(decode("{'name':'ann','count':3}", Person.class).unknown()).isSameAs(UnknownProperties.NONE);
    }

    @Test
    void excludeWhatTheClassOnlyWrites() {
        PayloadCodec.Decoded<Derived> derived = decode("{'count':3,'twice':6}", Derived.class);

        assertThat(derived.unknown()).isSameAs(UnknownProperties.NONE);
        assertThat(updated("{'count':3,'twice':6,'new':1}", Derived.class, row -> new Derived(4)))
                .isEqualTo("{'count':4,'twice':8,'new':1}");
    }

    @Test
    void excludeFormerNamesOfKnownProperties() {
        assertThat(updated("{'old':'ann','new':1}", Aliased.class, row -> new Aliased("bob")))
                .isEqualTo("{'new':1,'fresh':'bob'}");
    }

    @Test
    void excludeWhatTheClassKnowsAndOmits() {
        assertThat(updated("{'note':'x','new':1}", Sparse.class, row -> new Sparse(null)))
                .isEqualTo("{'new':1}");
        assertThat(updated("{'note':null,'new':1}", Sparse.class, row -> new Sparse("y")))
                .isEqualTo("{'note':'y','new':1}");
    }

    @Test
    void areKeptForClassesThatIgnoreThem() {
        assertThat(updated("{'a':'1','new':1}", Tolerant.class, row -> new Tolerant("2")))
                .isEqualTo("{'a':'2','new':1}");
    }

    @Test
    void areKeptForMutableClassesThatAreChangedInPlace() {
        assertThat(updated("{'text':'a','new':1}", Mutable.class, row -> {
                    row.text = "b";
                    return row;
                }))
                .isEqualTo("{'text':'b','new':1}");
    }

    @Test
    void areKeptInUnwrappedAndPolymorphicObjects() {
        assertThat(updated("{'text':'a','z':'1','new':1}", Unwrapping.class, row -> {
                    row.z = "2";
                    return row;
                }))
                .isEqualTo("{'text':'a','z':'2','new':1}");
        assertThat(updated(
                        "{'animal':{'new':1,'@type':'cat','name':'Tom'}}", Zoo.class, row -> new Zoo(new Cat("Kit"))))
                .isEqualTo("{'animal':{'new':1,'@type':'cat','name':'Kit'}}");
    }

    @Test
    void areKeptWhateverTheMapper() {
        PayloadCodec strict = new PayloadCodec(
                JsonMapper.builder()
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .disable(JsonNodeFeature.WRITE_NULL_PROPERTIES)
                        .enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                        .build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of());

        PayloadCodec.Decoded<Person> person =
                strict.decodeForUpdate(payload("{'name':'ann','count':3,'a':null,'b':1.10}"), Person.class, "row");

        assertThat(strict.encode(person.value().older(), person).payload().json())
                .isEqualTo("{\"name\":\"ann\",\"count\":4,\"a\":null,\"b\":1.10}");
    }

    @Test
    void areAddedToRowThatIsUpcast() {
        PayloadCodec upcasting = new PayloadCodec(
                JsonMapper.builder().build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of(Upcaster.of("Person", 1, json -> json.put("count", 1))));

        PayloadCodec.Decoded<Person> person =
                upcasting.decodeForUpdate(payload("{'name':'ann','new':1}"), Person.class, "x");

        assertThat(upcasting.encode(person.value().older(), person).payload().json())
                .isEqualTo("{\"name\":\"ann\",\"new\":1,\"count\":2}");
    }

    @Test
    void countForTheSizeLimit() {
        PayloadCodec small = new PayloadCodec(JsonMapper.builder().build(), 60, List.of());
        PayloadCodec.Decoded<Person> person = small.decodeForUpdate(
                payload("{'name':'ann','count':3,'new':'" + "x".repeat(28) + "'}"), Person.class, "x");

        assertThatThrownBy(() -> small.encode(new Person("a long name", 4), person))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("more than the 60 allowed");
    }

    @Test
    void elsewhereDoNotAffectElements() {
        assertThat(updated(
                        "{'people':[{'name':'ann','count':1}],'name':1,'names':[]}",
                        Team.class,
                        team -> new Team(List.of(new Person("bob", 2)), Set.of())))
                .isEqualTo("{'people':[{'name':'bob','count':2}],'name':1,'names':[]}");
    }

    @Test
    void ofElementsThatCannotBeToldApartRefuseRemoval() {
        String twins = "{'people':[{'name':'ann','count':1,'new':1},{'name':'ann','count':1,'new':2}],'names':[]}";

        assertThatThrownBy(() -> updated(
                        twins, Team.class, team -> new Team(team.people().subList(1, 2), Set.of())))
                .isInstanceOf(UnsupportedHereException.class)
                .hasMessage("row teams/a has elements at /people with properties that this version does not know"
                        + " ([new]), and the update changes or replaces some of them; another version of the service"
                        + " may handle it. Start that version, or add the properties to the class");
    }

    /** A set is written in its own order, so its elements do not correspond to the stored ones by index. */
    @Test
    void ofElementsInAnotherOrderAreKeptOnlyIfNoneChanges() {
        String names = "{'names':[{'text':'b','new':1},{'text':'a','new':2}],'people':[]}";

        assertThat(updated(names, Team.class, team -> new Team(List.of(new Person("ann", 1)), team.names())))
                .isEqualTo("{'names':[{'text':'b','new':1},{'text':'a','new':2}],'people':[{'name':'ann','count':1}]}");
        assertThatThrownBy(() -> updated(names, Team.class, team -> new Team(List.of(), Set.of(new Name("a")))))
                .isInstanceOf(UnsupportedHereException.class);
    }

    @Test
    void elsewhereDoNotAffectElementsInAnotherOrder() {
        assertThat(updated(
                        "{'names':[{'text':'b'},{'text':'a'}],'people':[],'new':1}",
                        Team.class,
                        team -> new Team(List.of(), Set.of(new Name("c")))))
                .isEqualTo("{'names':[{'text':'c'}],'people':[],'new':1}");
    }

    private <T> String updated(String json, Class<T> type, UnaryOperator<T> change) {
        PayloadCodec.Decoded<T> before = decode(json, type);
        return codec.encode(change.apply(before.value()), before)
                .payload()
                .json()
                .replace('"', '\'');
    }

    private <T> PayloadCodec.Decoded<T> decode(String json, Class<T> type) {
        return codec.decodeForUpdate(payload(json), type, "row teams/a");
    }

    private static Payload payload(String json) {
        return new Payload("Person", 1, json.replace('\'', '"'));
    }

    record Person(String name, int count) {

        Person older() {
            return new Person(name, count + 1);
        }
    }

    record Derived(int count) {

        public int getTwice() {
            return 2 * count;
        }
    }

    record Aliased(@JsonAlias("old") String fresh) {}

    record Sparse(@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String note) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Tolerant(String a) {}

    static class Mutable {
        public String text = "";
    }

    static class Unwrapping {
        @JsonUnwrapped
        public Mutable mutable = new Mutable();

        public String z = "";
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Cat.class, name = "cat"))
    interface Animal {}

    record Cat(String name) implements Animal {}

    record Zoo(Animal animal) {}

    record Name(String text) implements Comparable<Name> {

        @Override
        public int compareTo(Name other) {
            return text.compareTo(other.text);
        }
    }

    record Team(List<Person> people, Set<Name> names) {

        Team {
            names = new TreeSet<>(names);
        }
    }
}
