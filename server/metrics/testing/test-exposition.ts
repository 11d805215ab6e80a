export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly samples: Sample[]
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

/**
 * A strict parser of Prometheus's text format 0.0.4: a family is one block of HELP, TYPE and its samples, nothing is
 * duplicated, histograms add up.
 * @throws Error naming the line
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: Family | undefined
  const lines = text.slice(0, -1).split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line === '') continue
    const fail: (why: string) => never = (why) => {
      throw new Error(`${why}, line ${index + 1}: ${line}`)
    }
    if (line.startsWith('#')) {
      const [, name = '', help = ''] = /^# HELP (\S+) (.+)$/.exec(line) ?? fail('neither HELP nor a sample')
      const [, typed, type] =
        /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(lines[++index] ?? '') ?? fail('no TYPE follows')
      if (typed !== name) fail('TYPE names another metric')
      if (families.has(name)) fail('the family comes twice')
      current = { name, help, type: type as Family['type'], samples: [] }
      families.set(name, current)
      continue
    }
    const [, name = '', labelText = '', valueText = ''] = SAMPLE.exec(line) ?? fail('not a sample')
    if (!current || !namesOf(current).includes(name)) fail('a sample outside its family')
    const labels = parseLabels(labelText) ?? fail('labels cannot be read')
    const key = `${name}${sortedText(labels)}`
    if (seen.has(key)) fail('the sample comes twice')
    seen.add(key)
    const value = numberIn(valueText)
    if (Number.isNaN(value) && valueText.toLowerCase() !== 'nan') fail('not a number')
    if (current.type === 'counter' && !(value >= 0)) fail('a counter below zero')
    current.samples.push({ name, labels, value })
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
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

function numberIn(text: string): number {
  if (text === '+Inf') return Infinity
  return text === '-Inf' ? -Infinity : Number(text)
}

const namesOf = ({ name, type }: Family): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

function parseLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? []
    if (name === undefined || value === undefined || Object.hasOwn(labels, name)) return undefined
    labels[name] = value
  }
  return labels
}

function checkHistogram({ name, samples }: Family): void {
  const series = Map.groupBy(samples, ({ labels: { le: _bound, ...labels } }) => sortedText(labels))
  for (const [labels, ofSeries] of series) {
    const buckets = ofSeries
      .filter((sample) => sample.name.endsWith('_bucket'))
      .map((sample) => ({ bound: numberIn(sample.labels.le ?? 'none'), value: sample.value }))
    const ascending = buckets.every(({ bound, value }, index) => {
      const before = buckets[index - 1]
      return !before || (bound > before.bound && value >= before.value)
    })
    const last = buckets.at(-1)
    const count = ofSeries.find((sample) => sample.name.endsWith('_count'))?.value
    if (
      !ascending ||
      last?.bound !== Infinity ||
      last.value !== count ||
      !ofSeries.some((sample) => sample.name.endsWith('_sum'))
    )
      throw new Error(`${name}${labels} is no histogram`)
  }
}
