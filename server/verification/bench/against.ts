import { median, middleCost } from './load.ts'
import { formatProcessor, startMeter } from './meter.ts'
import { atMostTimes, type Measurement, type NamedCost, type Section } from './section.ts'
import { checkOut, TODAY, type Tree } from './tree.ts'
import type { Figure } from './report.ts'

/** What a payment may cost beside that of the other tree. */
export const RATIO_MAX = 1.1
/** A, B, A, B, …: a disturbance of the machine that lasts meets both. */
const ROUNDS = 5

type Comparable = Section & Required<Pick<Section, 'costsOf'>>

export const isComparable = (section: Section): section is Comparable => section.costsOf !== undefined

/** Measures the sections with the gateway of today and with that of another commit, in turn. */
export async function compareWith(
  ref: string,
  sections: readonly Comparable[],
  step: (text: string) => void,
): Promise<readonly { readonly section: Section; readonly measurement: Measurement }[]> {
  if (Number.isNaN((await (await startMeter({ processes: { bench: process.pid } }))(1)).totalUs))
    throw new Error('this system does not report the processor time of processes, which --against compares')
  const other = await checkOut(ref, step)
  const compared: { section: Section; measurement: Measurement }[] = []
  for (const section of sections) {
    step(`${section.name}: today and ${other.name}, in turn`)
    const pairs: CostPair[] = []
    for (let round = 0; round < ROUNDS; round += 1) pairs.push(...(await measurePair(section, other, step)))
    compared.push({ section, measurement: measurementOf(pairs, other) })
  }
  return compared
}

/** What the same payment costs in both trees, measured one after the other. */
export interface CostPair {
  readonly name: string
  readonly today: Expense
  readonly other: Expense
}

type Expense = Omit<NamedCost, 'name'>

async function measurePair(section: Comparable, other: Tree, step: (text: string) => void): Promise<CostPair[]> {
  const today = await section.costsOf(TODAY, step)
  const peers = await section.costsOf(other, step)
  return today.flatMap(({ name, ...expense }) =>
    peers.filter((peer) => peer.name === name).map((peer) => ({ name, today: expense, other: peer })),
  )
}

function measurementOf(pairs: readonly CostPair[], other: Tree): Measurement {
  const names = [...new Set(pairs.map(({ name }) => name))]
  return {
    figures: names.flatMap((name) =>
      figuresOf(
        pairs.filter((pair) => pair.name === name),
        other.name,
      ),
    ),
    notes: [
      `Processor time by process, the runs in the middle of ${ROUNDS}; the ratio is the median of those of each pair. Both gateways use the PostgreSQL of today.`,
    ],
    raw: pairs,
  }
}

/** The ratio of the pairs of one name, and what it is made of. @param pairs one of each round */
export function figuresOf(pairs: readonly CostPair[], other: string): Figure[] {
  const ratios = pairs.map(({ today, other: peer }) => today.cost.totalUs / peer.cost.totalUs)
  const costs = {
    today: middleCost(pairs.map(({ today }) => today.cost)),
    other: middleCost(pairs.map(({ other: peer }) => peer.cost)),
  }
  const counter = (name: string, digits: number, of: (expense: Expense) => number | undefined): Figure[] => {
    const [value, peer] = [
      median(pairs.map(({ today }) => of(today) ?? Number.NaN)),
      median(pairs.map(({ other: expense }) => of(expense) ?? Number.NaN)),
    ]
    if (Number.isNaN(value + peer)) return []
    return [{ name: `  ${name}`, value: value.toFixed(digits), peer: peer.toFixed(digits), ratio: value / peer }]
  }
  return [
    {
      name: pairs[0]?.name ?? '',
      value: formatProcessor(costs.today),
      peer: `${other} ${formatProcessor(costs.other)}`,
      ...atMostTimes(RATIO_MAX, median(ratios)),
    },
    { name: '  spread', value: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} ×` },
    ...counter('bytes of WAL', 0, ({ cost }) => cost.database?.walBytes),
    ...counter('commits', 2, ({ cost }) => cost.database?.commits),
    ...counter('statements', 2, ({ cost }) => cost.database?.statements),
    ...counter('memory of the gateway afterwards, MB', 0, ({ residentMb }) => residentMb),
    {
      name: '  cores idle meanwhile',
      value: costs.today.idleCores.toFixed(2),
      peer: costs.other.idleCores.toFixed(2),
    },
  ]
}
