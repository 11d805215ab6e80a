import type { StatementFormat } from './format.ts'
import type { StatementHead } from './reading.ts'
import { timeReader, type TimeReader } from './time.ts'
import { all, elementAt, textIn, type Element } from './xml-element.ts'

/** The part of a statement before its entries. */
export const HEAD_ELEMENTS: ReadonlySet<string> = new Set(['FrToDt', 'Acct', 'Bal'])

/** Reads the head of a statement from these elements. */
export function headOf(elements: readonly Element[], { timeZone }: StatementFormat): StatementHead {
  const readTime = timeReader('ymd', timeZone)
  const account = elements.filter(({ name }) => name === 'Acct').map(accountIn)[0]
  const period = elements.filter(({ name }) => name === 'FrToDt').map((element) => periodIn(element, readTime))[0]
  const { from, to } = period ?? periodOfBalances(elements, readTime)
  return { ...(account && { account }), ...(from && { from }), ...(to && { to }) }
}

export const currencyOf = (elements: readonly Element[]): string | undefined =>
  elements.map((element) => (element.name === 'Acct' ? textIn(element, 'Ccy') : undefined)).find(Boolean)

function accountIn(account: Element): string | undefined {
  const iban = elementAt(account, 'Id', 'IBAN')?.text.replaceAll(/\s/g, '').toUpperCase()
  return iban || elementAt(account, 'Id', 'Othr', 'Id')?.text.replaceAll(/\s/g, '') || undefined
}

interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** In days if it covers whole days; two statements of one day may cover half of it each. */
function periodIn(element: Element, readTime: TimeReader): Period {
  const textOf = (name: string): string => (textIn(element, `${name}Tm`) ?? textIn(element, name) ?? '').trim()
  const [first, last] = [textOf('FrDt'), textOf('ToDt')]
  const [from, to] = [readTime(first)?.day, readTime(last)?.day]
  const isUpToMidnight = /T(?:00|24):00(?::00(?:\.0{0,9})?)?(?:Z|[+-][\d:]{0,9})?$/.test(last)
  if (isUpToMidnight) return { from: from && partOf(from, first), to: from && to && from < to ? dayBefore(to) : to }
  return { from: from && partOf(from, first), to: to && partOf(to, last) }
}

/** A day, with its time unless that is the beginning or the end of the day. */
function partOf(day: string, text: string): string {
  const [, time = '00:00'] = /T(\d\d:\d\d(?::\d\d)?)/.exec(text) ?? []
  return /^(?:00:00(?::00)?|23:59(?::\d\d)?)$/.test(time) ? day : `${day}T${time}`
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 1).toISOString().slice(0, 10)

/** Without a stated period: from the day of the opening balance to that of the closing one. */
function periodOfBalances(elements: readonly Element[], readTime: TimeReader): Period {
  const dayOf = (codes: readonly string[]): string | undefined => {
    const found = elements.filter(({ name }) => name === 'Bal').find((each) => codes.includes(balanceCode(each)))
    const [date] = found ? all(found, 'Dt') : []
    return date && readTime(textIn(date, 'DtTm') ?? textIn(date, 'Dt') ?? date.text)?.day
  }
  const [from, to] = [dayOf(['OPBD']), dayOf(['CLBD', 'ITBD'])]
  return from && to && from <= to ? { from, to } : {}
}

const balanceCode = (balance: Element): string => elementAt(balance, 'Tp', 'CdOrPrtry', 'Cd')?.text.trim() ?? ''
