//! A language, as messages name it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tablut_rules::text::Lang;

/// A language, by its code. A page that names one which is not spoken here gets English.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LangName(pub Lang);

impl From<LangName> for Lang {
    fn from(name: LangName) -> Self {
        name.0
    }
}

impl From<Lang> for LangName {
    fn from(lang: Lang) -> Self {
        Self(lang)
    }
}

/// Just the codes: the registry says which there are.
#[cfg(test)]
impl ts_rs::TS for LangName {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &ts_rs::Config) -> String {
        let codes = Lang::ALL.iter().map(|lang| format!("{:?}", lang.code()));
        codes.collect::<Vec<_>>().join(" | ")
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}

impl Serialize for LangName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.code())
    }
}

impl<'de> Deserialize<'de> for LangName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Ok(Self(code.parse().unwrap_or_default()))
    }
}
