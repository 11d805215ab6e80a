/** A fenced block of a Markdown page, with the heading it stands under. */
export interface CodeBlock {
  readonly language: string
  readonly heading: string
  readonly text: string
}

/** The fenced blocks of a page, in order. */
export function fencesIn(markdown: string): CodeBlock[] {
  let heading = ''
  const parts = [...markdown.matchAll(/^#+ (?<heading>.+)$|^```(?<language>\w*)(?: [^\n]*)?\n(?<text>[\s\S]*?)^```$/gm)]
  return parts.flatMap(({ groups = {} }) => {
    if (groups.heading !== undefined) {
      heading = groups.heading
      return []
    }
    return [{ language: groups.language ?? '', heading, text: groups.text ?? '' }]
  })
}
