/** The drawing of this name, for a place in a text that asks for it; undefined when there is none. */
export const diagramNamed = (_name: string): string | undefined => undefined
