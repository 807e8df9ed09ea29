# xml: tables, queries and schemas as XML and as XML Schemas.

> create schema s
CREATE SCHEMA

> create domain s.d as varchar(10)
CREATE DOMAIN

> create type s.e as enum ('x', 'y')
CREATE TYPE

> create table s.t (a int, b text, "c d" s.d, e s.e, n numeric(5,2), f float8, ar int[], x xml, ts timestamptz, tm time(3), j json)
CREATE TABLE

> insert into s.t values (1, 'one<&>', 'dom', 'x', 1.5, 'NaN', '{1,null,2}', '<a/>', '2001-02-03 04:05:06+00', '10:00:00.1234', '{"a": 1}'), (null, null, null, null, null, null, null, null, null, null, null)
INSERT 0 2

> create view s.v as select a, upper(b) as b from s.t
CREATE VIEW

> create table s."odd name" (":a" int)
CREATE TABLE

> insert into s."odd name" values (7)
INSERT 0 1

> select table_to_xml('s.t', true, false, '')
table_to_xml:xml
<t xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n\n<row>\n  <a>1</a>\n  <b>one&lt;&amp;&gt;</b>\n  <c_x0020_d>dom</c_x0020_d>\n  <e>x</e>\n  <n>1.50</n>\n  <f>NaN</f>\n  <ar><element>1</element><element>2</element></ar>\n  <x><a/></x>\n  <ts>2001-02-03T04:05:06+00:00</ts>\n  <tm>10:00:00.123</tm>\n  <j>{"a": 1}</j>\n</row>\n\n<row>\n  <a xsi:nil="true"/>\n  <b xsi:nil="true"/>\n  <c_x0020_d xsi:nil="true"/>\n  <e xsi:nil="true"/>\n  <n xsi:nil="true"/>\n  <f xsi:nil="true"/>\n  <ar xsi:nil="true"/>\n  <x xsi:nil="true"/>\n  <ts xsi:nil="true"/>\n  <tm xsi:nil="true"/>\n  <j xsi:nil="true"/>\n</row>\n\n</t>\n
SELECT 1

> select table_to_xml('s.t', false, true, 'urn:x')
table_to_xml:xml
<t xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:x">\n  <a>1</a>\n  <b>one&lt;&amp;&gt;</b>\n  <c_x0020_d>dom</c_x0020_d>\n  <e>x</e>\n  <n>1.50</n>\n  <f>NaN</f>\n  <ar><element>1</element><element>2</element></ar>\n  <x><a/></x>\n  <ts>2001-02-03T04:05:06+00:00</ts>\n  <tm>10:00:00.123</tm>\n  <j>{"a": 1}</j>\n</t>\n\n<t xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:x">\n</t>\n\n
SELECT 1

> select table_to_xmlschema('s.t', true, false, '')
table_to_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.text">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="Domain.golden_sql_x005F_xml_mapping.s.d">\n  <xsd:restriction base="VARCHAR_10"/>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.s.e">\n</xsd:simpleType>\n\n<xsd:simpleType name="NUMERIC">\n</xsd:simpleType>\n\n<xsd:simpleType name="DOUBLE">\n  <xsd:restriction base="xsd:double"></xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog._int4">\n</xsd:simpleType>\n\n<xsd:complexType mixed="true">\n  <xsd:sequence>\n    <xsd:any name="element" minOccurs="0" maxOccurs="unbounded" processContents="skip"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:simpleType name="TIMESTAMP_WTZ">\n  <xsd:restriction base="xsd:dateTime">\n    <xsd:pattern value="\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}T\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?(\+|-)\p{Nd}{2}:\p{Nd}{2}"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="TIME">\n  <xsd:restriction base="xsd:time">\n    <xsd:pattern value="\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.json">\n</xsd:simpleType>\n\n<xsd:simpleType name="VARCHAR">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType.golden_sql_x005F_xml_mapping.s.t">\n  <xsd:sequence>\n    <xsd:element name="a" type="INTEGER" nillable="true"></xsd:element>\n    <xsd:element name="b" type="UDT.golden_sql_x005F_xml_mapping.pg_catalog.text" nillable="true"></xsd:element>\n    <xsd:element name="c_x0020_d" type="Domain.golden_sql_x005F_xml_mapping.s.d" nillable="true"></xsd:element>\n    <xsd:element name="e" type="UDT.golden_sql_x005F_xml_mapping.s.e" nillable="true"></xsd:element>\n    <xsd:element name="n" type="NUMERIC" nillable="true"></xsd:element>\n    <xsd:element name="f" type="DOUBLE" nillable="true"></xsd:element>\n    <xsd:element name="ar" type="UDT.golden_sql_x005F_xml_mapping.pg_catalog._int4" nillable="true"></xsd:element>\n    <xsd:element name="x" type="XML" nillable="true"></xsd:element>\n    <xsd:element name="ts" type="TIMESTAMP_WTZ" nillable="true"></xsd:element>\n    <xsd:element name="tm" type="TIME" nillable="true"></xsd:element>\n    <xsd:element name="j" type="UDT.golden_sql_x005F_xml_mapping.pg_catalog.json" nillable="true"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:complexType name="TableType.golden_sql_x005F_xml_mapping.s.t">\n  <xsd:sequence>\n    <xsd:element name="row" type="RowType.golden_sql_x005F_xml_mapping.s.t" minOccurs="0" maxOccurs="unbounded"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="t" type="TableType.golden_sql_x005F_xml_mapping.s.t"/>\n\n</xsd:schema>
SELECT 1

> select table_to_xmlschema('s."odd name"', false, true, 'urn:x')
table_to_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema"\n    targetNamespace="urn:x"\n    elementFormDefault="qualified">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name">\n  <xsd:sequence>\n    <xsd:element name="_x003A_a" type="INTEGER" minOccurs="0"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="odd_x0020_name" type="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name"/>\n\n</xsd:schema>
SELECT 1

> select table_to_xml('s."odd name"', false, true, '')
table_to_xml:xml
<odd_x0020_name xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n  <_x003A_a>7</_x003A_a>\n</odd_x0020_name>\n\n
SELECT 1

> select table_to_xml_and_xmlschema('s."odd name"', false, true, '')
table_to_xml_and_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name">\n  <xsd:sequence>\n    <xsd:element name="_x003A_a" type="INTEGER" minOccurs="0"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="odd_x0020_name" type="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name"/>\n\n</xsd:schema>\n\n<odd_x0020_name xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n  <_x003A_a>7</_x003A_a>\n</odd_x0020_name>\n\n
SELECT 1

> select table_to_xml_and_xmlschema('s."odd name"', false, false, 'urn:x')
table_to_xml_and_xmlschema:xml
<odd_x0020_name xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:x" xsi:schemaLocation="urn:x #">\n\n<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema"\n    targetNamespace="urn:x"\n    elementFormDefault="qualified">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name">\n  <xsd:sequence>\n    <xsd:element name="_x003A_a" type="INTEGER" minOccurs="0"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:complexType name="TableType.golden_sql_x005F_xml_mapping.s.odd_x0020_name">\n  <xsd:sequence>\n    <xsd:element name="row" type="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name" minOccurs="0" maxOccurs="unbounded"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="odd_x0020_name" type="TableType.golden_sql_x005F_xml_mapping.s.odd_x0020_name"/>\n\n</xsd:schema>\n\n<row>\n  <_x003A_a>7</_x003A_a>\n</row>\n\n</odd_x0020_name>\n
SELECT 1

> select query_to_xml('select 1 as a, null as b union all select 2, ''x''', false, false, '')
query_to_xml:xml
<table xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n\n<row>\n  <a>1</a>\n</row>\n\n<row>\n  <a>2</a>\n  <b>x</b>\n</row>\n\n</table>\n
SELECT 1

> select query_to_xml('select 1 where false', false, false, '')
query_to_xml:xml
<table xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n\n</table>\n
SELECT 1

> select query_to_xml('select 1 where false', true, true, '')
query_to_xml:xml
|
SELECT 1

> select query_to_xmlschema('select 1::int2 as a, current_date as b, true as c, ''x''::bytea as d, 1::float4 as e', false, false, '')
query_to_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="SMALLINT">\n  <xsd:restriction base="xsd:short">\n    <xsd:maxInclusive value="32767"/>\n    <xsd:minInclusive value="-32768"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="DATE">\n  <xsd:restriction base="xsd:date">\n    <xsd:pattern value="\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="BOOLEAN">\n  <xsd:restriction base="xsd:boolean"></xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.bytea">\n  <xsd:restriction base="xsd:base64Binary">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="REAL">\n  <xsd:restriction base="xsd:float"></xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType">\n  <xsd:sequence>\n    <xsd:element name="a" type="SMALLINT" minOccurs="0"></xsd:element>\n    <xsd:element name="b" type="DATE" minOccurs="0"></xsd:element>\n    <xsd:element name="c" type="BOOLEAN" minOccurs="0"></xsd:element>\n    <xsd:element name="d" type="UDT.golden_sql_x005F_xml_mapping.pg_catalog.bytea" minOccurs="0"></xsd:element>\n    <xsd:element name="e" type="REAL" minOccurs="0"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:complexType name="TableType">\n  <xsd:sequence>\n    <xsd:element name="row" type="RowType" minOccurs="0" maxOccurs="unbounded"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="table" type="TableType"/>\n\n</xsd:schema>
SELECT 1

> select query_to_xml_and_xmlschema('select 1 as "x y"', false, true, 'u')
query_to_xml_and_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema"\n    targetNamespace="u"\n    elementFormDefault="qualified">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType">\n  <xsd:sequence>\n    <xsd:element name="x_x0020_y" type="INTEGER" minOccurs="0"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="row" type="RowType"/>\n\n</xsd:schema>\n\n<row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="u">\n  <x_x0020_y>1</x_x0020_y>\n</row>\n\n
SELECT 1

> select schema_to_xml('s', false, true, '')
schema_to_xml:xml
<s xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n\n<odd_x0020_name>\n  <_x003A_a>7</_x003A_a>\n</odd_x0020_name>\n\n\n<t>\n  <a>1</a>\n  <b>one&lt;&amp;&gt;</b>\n  <c_x0020_d>dom</c_x0020_d>\n  <e>x</e>\n  <n>1.50</n>\n  <f>NaN</f>\n  <ar><element>1</element><element>2</element></ar>\n  <x><a/></x>\n  <ts>2001-02-03T04:05:06+00:00</ts>\n  <tm>10:00:00.123</tm>\n  <j>{"a": 1}</j>\n</t>\n\n<t>\n</t>\n\n\n<v>\n  <a>1</a>\n  <b>ONE&lt;&amp;&gt;</b>\n</v>\n\n<v>\n</v>\n\n\n</s>\n
SELECT 1

> select schema_to_xml('s', true, false, 'urn:s')
schema_to_xml:xml
<s xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:s">\n\n<odd_x0020_name>\n\n<row>\n  <_x003A_a>7</_x003A_a>\n</row>\n\n</odd_x0020_name>\n\n<t>\n\n<row>\n  <a>1</a>\n  <b>one&lt;&amp;&gt;</b>\n  <c_x0020_d>dom</c_x0020_d>\n  <e>x</e>\n  <n>1.50</n>\n  <f>NaN</f>\n  <ar><element>1</element><element>2</element></ar>\n  <x><a/></x>\n  <ts>2001-02-03T04:05:06+00:00</ts>\n  <tm>10:00:00.123</tm>\n  <j>{"a": 1}</j>\n</row>\n\n<row>\n  <a xsi:nil="true"/>\n  <b xsi:nil="true"/>\n  <c_x0020_d xsi:nil="true"/>\n  <e xsi:nil="true"/>\n  <n xsi:nil="true"/>\n  <f xsi:nil="true"/>\n  <ar xsi:nil="true"/>\n  <x xsi:nil="true"/>\n  <ts xsi:nil="true"/>\n  <tm xsi:nil="true"/>\n  <j xsi:nil="true"/>\n</row>\n\n</t>\n\n<v>\n\n<row>\n  <a>1</a>\n  <b>ONE&lt;&amp;&gt;</b>\n</row>\n\n<row>\n  <a xsi:nil="true"/>\n  <b xsi:nil="true"/>\n</row>\n\n</v>\n\n</s>\n
SELECT 1

> select schema_to_xmlschema('s', false, true, '')
schema_to_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.text">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="Domain.golden_sql_x005F_xml_mapping.s.d">\n  <xsd:restriction base="VARCHAR_10"/>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.s.e">\n</xsd:simpleType>\n\n<xsd:simpleType name="NUMERIC">\n</xsd:simpleType>\n\n<xsd:simpleType name="DOUBLE">\n  <xsd:restriction base="xsd:double"></xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog._int4">\n</xsd:simpleType>\n\n<xsd:complexType mixed="true">\n  <xsd:sequence>\n    <xsd:any name="element" minOccurs="0" maxOccurs="unbounded" processContents="skip"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:simpleType name="TIMESTAMP_WTZ">\n  <xsd:restriction base="xsd:dateTime">\n    <xsd:pattern value="\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}T\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?(\+|-)\p{Nd}{2}:\p{Nd}{2}"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="TIME">\n  <xsd:restriction base="xsd:time">\n    <xsd:pattern value="\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.json">\n</xsd:simpleType>\n\n<xsd:simpleType name="VARCHAR">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="SchemaType.golden_sql_x005F_xml_mapping.s">\n  <xsd:sequence>\n    <xsd:element name="odd_x0020_name" type="RowType.golden_sql_x005F_xml_mapping.s.odd_x0020_name" minOccurs="0" maxOccurs="unbounded"/>\n    <xsd:element name="t" type="RowType.golden_sql_x005F_xml_mapping.s.t" minOccurs="0" maxOccurs="unbounded"/>\n    <xsd:element name="v" type="RowType.golden_sql_x005F_xml_mapping.s.v" minOccurs="0" maxOccurs="unbounded"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="s" type="SchemaType.golden_sql_x005F_xml_mapping.s"/>\n\n</xsd:schema>
SELECT 1

> select schema_to_xmlschema('s', true, false, '')
schema_to_xmlschema:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.text">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="Domain.golden_sql_x005F_xml_mapping.s.d">\n  <xsd:restriction base="VARCHAR_10"/>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.s.e">\n</xsd:simpleType>\n\n<xsd:simpleType name="NUMERIC">\n</xsd:simpleType>\n\n<xsd:simpleType name="DOUBLE">\n  <xsd:restriction base="xsd:double"></xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog._int4">\n</xsd:simpleType>\n\n<xsd:complexType mixed="true">\n  <xsd:sequence>\n    <xsd:any name="element" minOccurs="0" maxOccurs="unbounded" processContents="skip"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:simpleType name="TIMESTAMP_WTZ">\n  <xsd:restriction base="xsd:dateTime">\n    <xsd:pattern value="\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}T\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?(\+|-)\p{Nd}{2}:\p{Nd}{2}"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="TIME">\n  <xsd:restriction base="xsd:time">\n    <xsd:pattern value="\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.json">\n</xsd:simpleType>\n\n<xsd:simpleType name="VARCHAR">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="SchemaType.golden_sql_x005F_xml_mapping.s">\n  <xsd:all>\n    <xsd:element name="odd_x0020_name" type="TableType.golden_sql_x005F_xml_mapping.s.odd_x0020_name"/>\n    <xsd:element name="t" type="TableType.golden_sql_x005F_xml_mapping.s.t"/>\n    <xsd:element name="v" type="TableType.golden_sql_x005F_xml_mapping.s.v"/>\n  </xsd:all>\n</xsd:complexType>\n\n<xsd:element name="s" type="SchemaType.golden_sql_x005F_xml_mapping.s"/>\n\n</xsd:schema>
SELECT 1

> select schema_to_xml_and_xmlschema('s', false, false, '')
schema_to_xml_and_xmlschema:xml
<s xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="#">\n\n<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="INTEGER">\n  <xsd:restriction base="xsd:int">\n    <xsd:maxInclusive value="2147483647"/>\n    <xsd:minInclusive value="-2147483648"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.text">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="Domain.golden_sql_x005F_xml_mapping.s.d">\n  <xsd:restriction base="VARCHAR_10"/>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.s.e">\n</xsd:simpleType>\n\n<xsd:simpleType name="NUMERIC">\n</xsd:simpleType>\n\n<xsd:simpleType name="DOUBLE">\n  <xsd:restriction base="xsd:double"></xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog._int4">\n</xsd:simpleType>\n\n<xsd:complexType mixed="true">\n  <xsd:sequence>\n    <xsd:any name="element" minOccurs="0" maxOccurs="unbounded" processContents="skip"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:simpleType name="TIMESTAMP_WTZ">\n  <xsd:restriction base="xsd:dateTime">\n    <xsd:pattern value="\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}T\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?(\+|-)\p{Nd}{2}:\p{Nd}{2}"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="TIME">\n  <xsd:restriction base="xsd:time">\n    <xsd:pattern value="\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(.\p{Nd}+)?"/>\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.json">\n</xsd:simpleType>\n\n<xsd:simpleType name="VARCHAR">\n  <xsd:restriction base="xsd:string">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="SchemaType.golden_sql_x005F_xml_mapping.s">\n  <xsd:all>\n    <xsd:element name="odd_x0020_name" type="TableType.golden_sql_x005F_xml_mapping.s.odd_x0020_name"/>\n    <xsd:element name="t" type="TableType.golden_sql_x005F_xml_mapping.s.t"/>\n    <xsd:element name="v" type="TableType.golden_sql_x005F_xml_mapping.s.v"/>\n  </xsd:all>\n</xsd:complexType>\n\n<xsd:element name="s" type="SchemaType.golden_sql_x005F_xml_mapping.s"/>\n\n</xsd:schema>\n\n<odd_x0020_name>\n\n<row>\n  <_x003A_a>7</_x003A_a>\n</row>\n\n</odd_x0020_name>\n\n<t>\n\n<row>\n  <a>1</a>\n  <b>one&lt;&amp;&gt;</b>\n  <c_x0020_d>dom</c_x0020_d>\n  <e>x</e>\n  <n>1.50</n>\n  <f>NaN</f>\n  <ar><element>1</element><element>2</element></ar>\n  <x><a/></x>\n  <ts>2001-02-03T04:05:06+00:00</ts>\n  <tm>10:00:00.123</tm>\n  <j>{"a": 1}</j>\n</row>\n\n<row>\n</row>\n\n</t>\n\n<v>\n\n<row>\n  <a>1</a>\n  <b>ONE&lt;&amp;&gt;</b>\n</row>\n\n<row>\n</row>\n\n</v>\n\n</s>\n
SELECT 1

> select schema_to_xml('nope', false, false, '')
schema_to_xml:xml
ERROR 3F000: schema "nope" does not exist

> select table_to_xml('s.nope', false, false, '')
ERROR 42P01: relation "s.nope" does not exist

> select table_to_xml(null, false, false, '')
table_to_xml:xml
NULL
SELECT 1

> select xmlforest(e, ar, x, ts, tm, j) from s.t
xmlforest:xml
<e>x</e><ar><element>1</element><element>2</element></ar><x><a/></x><ts>2001-02-03T04:05:06+00:00</ts><tm>10:00:00.123</tm><j>{"a": 1}</j>
NULL
SELECT 2

> set xmlbinary = hex
SET

> select query_to_xmlschema('select ''x''::bytea as d', false, false, ''), query_to_xml('select ''xyz''::bytea as d', false, false, '')
query_to_xmlschema:xml | query_to_xml:xml
<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n\n<xsd:simpleType name="UDT.golden_sql_x005F_xml_mapping.pg_catalog.bytea">\n  <xsd:restriction base="xsd:hexBinary">\n  </xsd:restriction>\n</xsd:simpleType>\n\n<xsd:complexType name="RowType">\n  <xsd:sequence>\n    <xsd:element name="d" type="UDT.golden_sql_x005F_xml_mapping.pg_catalog.bytea" minOccurs="0"></xsd:element>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:complexType name="TableType">\n  <xsd:sequence>\n    <xsd:element name="row" type="RowType" minOccurs="0" maxOccurs="unbounded"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n<xsd:element name="table" type="TableType"/>\n\n</xsd:schema> | <table xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n\n<row>\n  <d>78797A</d>\n</row>\n\n</table>\n
SELECT 1

> set datestyle = 'german, dmy'
SET

> select query_to_xml('select date ''2001-02-03'' as d, timestamp ''2001-02-03 04:05'' as t, interval ''1 day'' as i', false, false, '')
query_to_xml:xml
<table xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n\n<row>\n  <d>2001-02-03</d>\n  <t>2001-02-03T04:05:00</t>\n  <i>1 day</i>\n</row>\n\n</table>\n
SELECT 1
