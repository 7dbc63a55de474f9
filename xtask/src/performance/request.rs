//! What is asked for on the command line.

use super::TABLES;

/// The words behind the verb.
#[derive(Debug, PartialEq, Eq, Default)]
pub(crate) struct Request {
    /// These tables alone; all of them where none is named.
    tables: Vec<String>,
    pub(super) write: bool,
}

impl Request {
    /// Reads the words: names of tables, and `--write`.
    ///
    /// # Errors
    ///
    /// A sentence with the names that there are.
    pub(crate) fn of(words: &[&str]) -> Result<Self, String> {
        let mut request = Self::default();
        for word in words {
            match *word {
                "--write" => request.write = true,
                table if TABLES.contains(&table) => request.tables.push(table.to_owned()),
                _ => {
                    return Err(format!(
                        "--write and names of tables are expected here: {}",
                        TABLES.join(", ")
                    ));
                }
            }
        }
        Ok(request)
    }

    /// Whether a table is wanted.
    pub(super) fn wants(&self, table: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|named| named == table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_all_tables_are_wanted() {
        let request = Request::of(&["--write"]).unwrap();
        assert!(request.write && TABLES.iter().all(|table| request.wants(table)));
    }

    #[test]
    fn a_named_table_is_wanted_alone() {
        let request = Request::of(&["files", "large"]).unwrap();
        assert!(!request.write && request.wants("files") && request.wants("large"));
        assert!(!request.wants("formats"));
    }

    #[test]
    fn unknown_words_are_refused_with_the_names_that_there_are() {
        assert!(Request::of(&["speed"]).unwrap_err().contains("cases-200"));
    }
}
