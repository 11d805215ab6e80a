/** A fault that is put in on purpose, to show that a test finds it. */
export interface PlantedFault {
  /** Unique in the catalogue, in kebab-case. */
  readonly name: string
  /** What an implementer gets wrong. */
  readonly kind: string
  /** What a gateway (or an adapter) with it does, as a predicate. */
  readonly does: string
  /** The tests that find it, the likeliest first: parts of the contract suite, the simulation, the rules of rails. */
  readonly foundBy: readonly [string, ...string[]]
  readonly plant: { readonly in: 'source' | 'adapter' }
}

/** Edits of the gateway's source, made while it is loaded. */
export interface SourcePlant {
  readonly in: 'source'
  readonly edits: readonly SourceEdit[]
}

export interface SourceFault extends PlantedFault {
  readonly plant: SourcePlant
}

/** A text that its file contains exactly once, and another in its place. */
export interface SourceEdit {
  /** Path below server/. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export type EditRow = readonly [file: string, from: string, to: string]
export const sourcePlant = (edits: readonly EditRow[]): SourcePlant => ({
  in: 'source',
  edits: edits.map(([file, from, to]) => ({ file, from, to })),
})

/** @throws Error when the text is not there exactly once: the source has changed, and the fault must follow it */
export function editedText(text: string, { file, from, to }: SourceEdit): string {
  const places = text.split(from).length - 1
  if (places !== 1) throw new Error(`${file} contains ${places} times: ${from}`)
  return text.replace(from, () => to)
}

/** Faults in the source of one kind. @param rows by name: what a gateway with it does, and its edits */
export const sourceFaults = (
  kind: string,
  foundBy: string,
  rows: Readonly<Record<string, readonly [does: string, ...edits: readonly EditRow[]]>>,
): readonly SourceFault[] =>
  Object.entries(rows).map(([name, [does, ...edits]]) => ({
    name,
    kind,
    does,
    foundBy: [foundBy],
    plant: sourcePlant(edits),
  }))
