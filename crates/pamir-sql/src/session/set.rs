//! SET, RESET, SHOW, DISCARD.
use super::Session;
use super::state::Block;
use super::utility::{text_field, text_row};
use crate::client::{Client, Field};
use crate::settings::{SETTINGS, find};
use pamir_parse::tree::{Discard, SetStatement, Setting};
use pamir_plan::parser::setting_text;
use pamir_types::{Result, err};

/// SHOW's columns.
pub(super) fn show_fields(name: &str) -> Vec<Field> {
    if name == "all" {
        return vec![text_field("name"), text_field("setting"), text_field("description")];
    }
    vec![text_field(find(name).map_or(name, |s| s.1.name))]
}

impl Session {
    pub(super) fn set_statement(&mut self, s: &SetStatement) -> Result<()> {
        match &s.what {
            Setting::Value { name, values } => self.state.set(name, Some(&setting_text(name, values)?), s.local),
            Setting::Default(name) => self.state.set(name, None, s.local),
            Setting::FromCurrent(name) => {
                let now = self.setting(name)?;
                self.state.set(name, Some(&now), s.local)
            }
            Setting::ResetAll => {
                self.reset_all();
                Ok(())
            }
            Setting::Transaction(modes) => self.set_transaction(modes),
            Setting::SessionCharacteristics(modes) => self.set_characteristics(modes),
            Setting::Snapshot(name) => self.import_snapshot(name),
        }
    }
    fn reset_all(&mut self) {
        let in_txn = self.state.block != Block::Idle;
        self.state.settings.reset_all(in_txn);
        self.state.text_stale = true;
        self.state.resolve_scope();
    }
    fn setting(&self, name: &str) -> Result<String> {
        let v = self.state.settings.get(name);
        v.ok_or_else(|| err!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\""))
    }

    pub(super) fn show(&mut self, name: &str, client: &mut dyn Client) -> Result<()> {
        // Outside a transaction the modes of the last one stand until the next begins.
        self.state.next_modes();
        let fields = show_fields(name);
        if name != "all" {
            let v = self.setting(name)?;
            self.begin_rows(&fields, client);
            return text_row(client, &[&v]);
        }
        self.begin_rows(&fields, client);
        for s in SETTINGS {
            let v = self.state.settings.get(s.name).unwrap_or_default();
            text_row(client, &[s.name, &v, s.description])?;
        }
        Ok(())
    }

    pub(super) fn discard(&mut self, what: Discard) -> Result<()> {
        match what {
            Discard::All => {
                self.not_in_block("DISCARD ALL")?;
                self.portals.clear();
                self.state.prepared.clear();
                self.shapes.clear();
                self.state.locks = None;
                self.state.unlisten(None);
                self.state.forget_sequences();
                self.state.discard_temporary()?;
                self.state.set("session_authorization", None, false)?;
                self.reset_all();
            }
            Discard::Plans => self.shapes.clear(),
            Discard::Sequences => self.state.forget_sequences(),
            Discard::Temp => self.state.discard_temporary()?,
        }
        Ok(())
    }
}
