interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: Sample[]
}

/**
 * Parses what prom-client renders, which owns the format. Ours are the names, and that the two registries of a process
 * are joined.
 * @throws Error on a line of another form, and on a family in both registries
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>()
  for (const block of text.split(/(?=^# HELP )/m)) {
    const [, name = '', help = '', type = '', samples = ''] =
      /^# HELP (\S+) (.+)\n# TYPE \1 (\w+)\n([^]*)$/.exec(block) ?? []
    if (type === '' || families.has(name)) throw new Error(`no family, or one that comes twice: ${block}`)
    families.set(name, { name, help, type, samples: samples.split('\n').filter(Boolean).map(sampleOf) })
  }
  return families
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined) throw new Error(`no sample: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', text = '']): [string, string] => [label, text],
  )
  return { name, labels: Object.fromEntries(pairs), value: value === '+Inf' ? Infinity : Number(value) }
}

/** The value of one sample; undefined when there is none. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
  const wanted = sortedText(labels)
  return family?.samples.find((sample) => sample.name === name && sortedText(sample.labels) === wanted)?.value
}

/** The same text for the same labels in any order. */
const sortedText = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
