/** Characters that terminate texts, statements, tags and lines elsewhere, and multi-byte ones. */
export const ODD_TEXT = `O'Reilly "x" <b>; -- %s \${x} \\ \u00e9 \u4f60 \u{1f600}`
