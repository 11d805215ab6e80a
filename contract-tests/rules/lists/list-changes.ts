import { faultIf, type Fault } from '../observed-exchange.ts'
import type { ListReading } from './list-readings.ts'

/** Staff may change a list, and operators come and go; nobody changes one and takes it back within this time. */
const STEADY_MS = 5_000

/** What is wrong about a list that replaced another. @param before the list before that, if it was different */
export function faultsBetween(before: ListReading | undefined, last: ListReading, now: ListReading): readonly Fault[] {
  const { operation } = now
  const isBack = before?.text === now.text
  const isEmptied = before !== undefined && before.names.length > 0 && last.names.length === 0 && now.names.length > 0
  const isBrief = isBack && now.began - before.ended <= STEADY_MS
  const [kept, keptNow] = [last, now].map(({ names }) =>
    names.filter((name) => last.names.includes(name) && now.names.includes(name)),
  )
  const gone = operation === 'listWalletBalances' ? last.names.find((name) => !now.names.includes(name)) : undefined
  return [
    ...faultIf(
      isEmptied,
      `${operation} emptied`,
      `a list of ${before?.names.length} items was empty in the next reply, and had ${now.names.length} in the one after: nothing takes all items away for a moment`,
    ),
    ...faultIf(
      isBrief && !isEmptied,
      `${operation} differs`,
      `a list differed for a moment and was the same again within five seconds: ${differenceOf(last, now)}`,
    ),
    ...faultIf(
      kept?.join() !== keptNow?.join(),
      `${operation} order`,
      `a list had the order ${kept?.join(', ')}, and then ${keptNow?.join(', ')}: the order of a list is stable`,
    ),
    ...faultIf(
      gone !== undefined && !isEmptied,
      `${operation} gone`,
      `the wallet ${gone} was listed, and then no more: a wallet stays`,
    ),
  ]
}

function differenceOf(wrong: ListReading, right: ListReading): string {
  const missing = right.names.filter((name) => !wrong.names.includes(name))
  const added = wrong.names.filter((name) => !right.names.includes(name))
  if (missing.length + added.length > 0)
    return [...missing.map((name) => `without ${name}`), ...added.map((name) => `with ${name}`)].join(', ')
  return `${firstOther(wrong.text, right.text)}, not ${firstOther(right.text, wrong.text)}`
}

/** The first place where a text differs from another. */
function firstOther(text: string, other: string): string {
  const at = [...text].findIndex((character, index) => character !== other[index])
  return JSON.stringify(text.slice(Math.max(at - 40, 0), at + 20))
}
