/** Letters that end texts, statements, tags and lines elsewhere; and those that take more than one byte. */
export const ODD_TEXT = `O'Reilly "x" <b>; -- %s \${x} \\ \u00e9 \u4f60 \u{1f600}`
