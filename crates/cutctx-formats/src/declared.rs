//! The tools that a request defines.

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::{Document, Shape};
use crate::raw::{Node, Object};

/// The definition of a tool, as a request carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredTool {
    /// What the model calls it; the type of one that the provider runs.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its parameters, as JSON text.
    pub parameters: String,
}

/// Under which keys a definition has its parameters.
const PARAMETERS: [&str; 5] = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "format"];

/// The tools that a file defines, where it is a request. Every provider's spelling is understood.
pub(crate) fn declared_tools(text: &str) -> Vec<DeclaredTool> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let Shape::Object(request) = document.shape() else { return Vec::new() };
    let configured = request.get("toolConfig").and_then(|config| config.object().ok()?);
    let lists = [request.get("tools"), request.get("functions"), configured.and_then(|all| all.get("tools"))];
    lists.into_iter().flatten().flat_map(|list| elements(&list)).flat_map(|tool| definitions(&tool)).collect()
}

fn elements<'a>(list: &Node<'a>) -> Vec<Object<'a>> {
    list.objects().ok().flatten().unwrap_or_default().into_iter().flatten().collect()
}

/// A definition, or what holds one or several of them.
fn definitions(tool: &Object<'_>) -> Vec<DeclaredTool> {
    let declared =
        ["functionDeclarations", "function_declarations"].into_iter().find_map(|key| tool.get(key));
    if let Some(list) = declared {
        return elements(&list).iter().map(definition).collect();
    }
    let inner = ["function", "toolSpec"].into_iter().find_map(|key| tool.get(key)?.object().ok()?);
    alloc::vec![definition(inner.as_ref().unwrap_or(tool))]
}

fn definition(tool: &Object<'_>) -> DeclaredTool {
    let parameters = PARAMETERS.into_iter().find_map(|key| tool.get(key));
    DeclaredTool {
        name: tool.owned("name").or_else(|| tool.owned("type")).unwrap_or_default(),
        description: tool.owned("description").unwrap_or_default(),
        parameters: parameters.map(|parameters| String::from(parameters.text())).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_found_in_every_spelling() {
        let spellings = [
            r#"{"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{}}}]}"#,
            r#"{"tools":[{"type":"function","name":"f","description":"d","parameters":{}}]}"#,
            r#"{"tools":[{"name":"f","description":"d","input_schema":{}}]}"#,
            r#"{"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{}}]}]}"#,
            r#"{"toolConfig":{"tools":[{"toolSpec":{"name":"f","description":"d","inputSchema":{}}}]}}"#,
            r#"{"functions":[{"name":"f","description":"d","parameters":{}}]}"#,
        ];
        let tool = DeclaredTool { name: "f".into(), description: "d".into(), parameters: "{}".into() };
        for spelling in spellings {
            assert_eq!(declared_tools(spelling), core::slice::from_ref(&tool), "{spelling}");
        }
        assert!(declared_tools(r#"{"messages":[]}"#).is_empty());
    }
}
