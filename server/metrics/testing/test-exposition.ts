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
 * Prometheus's text format 0.0.4, read without mercy: a family is one block of HELP, TYPE and its samples, nothing
 * comes twice, histograms add up.
 * @throws Error naming the line
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: Family | undefined
  const lines = text.slice(0, -1).split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!
    if (line === '') continue
    const fail = (why: string): never => {
      throw new Error(`${why}, line ${index + 1}: ${line}`)
    }
    if (line.startsWith('#')) {
      const [, name, help] = /^# HELP (\S+) (.+)$/.exec(line) ?? fail('neither HELP nor a sample')
      const [, typed, type] =
        /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(lines[++index] ?? '') ?? fail('no TYPE follows')
      if (typed !== name) fail('TYPE names another metric')
      if (families.has(name!)) fail('the family comes twice')
      current = { name: name!, help: help!, type: type as Family['type'], samples: [] }
      families.set(name!, current)
      continue
    }
    const [, name, labelText = '', valueText] = SAMPLE.exec(line) ?? fail('not a sample')
    if (!current || !namesOf(current).includes(name!)) fail('a sample outside its family')
    const labels = parseLabels(labelText) ?? fail('labels cannot be read')
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`
    if (seen.has(key)) fail('the sample comes twice')
    seen.add(key)
    const value = valueText === '+Inf' ? Infinity : valueText === '-Inf' ? -Infinity : Number(valueText)
    if (Number.isNaN(value) && valueText!.toLowerCase() !== 'nan') fail('not a number')
    if (current!.type === 'counter' && !(value >= 0)) fail('a counter below zero')
    current!.samples.push({ name: name!, labels, value })
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
  const wanted = JSON.stringify(Object.entries(labels).sort())
  return family?.samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === wanted,
  )?.value
}

const namesOf = ({ name, type }: Family): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

function parseLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text)
    if (!match || Object.hasOwn(labels, match[1]!)) return undefined
    labels[match[1]!] = match[2]!
  }
  return labels
}

function checkHistogram({ name, samples }: Family): void {
  const series = Map.groupBy(samples, ({ labels: { le: _bound, ...labels } }) =>
    JSON.stringify(Object.entries(labels).sort()),
  )
  for (const [labels, ofSeries] of series) {
    const buckets = ofSeries.filter((sample) => sample.name.endsWith('_bucket'))
    const bounds = buckets.map((sample) => Number(sample.labels.le!.replace('+Inf', 'Infinity')))
    const ascending = buckets.every(
      ({ value }, index) => index === 0 || (bounds[index]! > bounds[index - 1]! && value >= buckets[index - 1]!.value),
    )
    const count = ofSeries.find((sample) => sample.name.endsWith('_count'))?.value
    if (
      !ascending ||
      bounds.at(-1) !== Infinity ||
      buckets.at(-1)!.value !== count ||
      !ofSeries.some((sample) => sample.name.endsWith('_sum'))
    )
      throw new Error(`${name}${labels} is no histogram`)
  }
}
