import { html } from 'ghtml'
import type { Money } from '../domain/money.ts'
import { amountText } from './amount.ts'
import type { Texts } from './texts/en.ts'

export type TextName = keyof Texts
/** Countable things: each has one text for the singular and one for any other number. */
type CountedName = { [Name in TextName]: `${Name}_one` extends TextName ? Name : never }[TextName]
type Values = Readonly<Record<string, string>>

/** All texts and formats of the page in one language. */
export interface Translator {
  readonly language: string
  /** Plain text, for titles and for values that are escaped where they are used. */
  text(name: TextName, values?: Values): string
  /** Markup: the text is escaped, the values are markup already. */
  say(name: TextName, values?: Values): string
  counted(name: CountedName, count: number): string
  amount(money: Money): string
  /** `1 second`, `90 seconds`. */
  seconds(count: number): string
  /** How long to wait, rounded up: `42 seconds`, `53 minutes`, `3 hours`. */
  wait(seconds: number): string
  /** `42 seconds`, `3 minutes`; rounded down. */
  span(seconds: number): string
  /** `29 minutes`, `less than a minute`; rounded down. */
  minutes(ms: number): string
  /** Date and time, in the time zone of the currency's country. */
  moment(at: Date, currency: string): string
}

const MOMENT = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions

/** The customer's time zone is unknown; each of these currencies has only one. */
const ZONES: Readonly<Record<string, string>> = {
  UGX: 'Africa/Kampala',
  KES: 'Africa/Nairobi',
  TZS: 'Africa/Dar_es_Salaam',
  RWF: 'Africa/Kigali',
  GHS: 'Africa/Accra',
  ZMW: 'Africa/Lusaka',
  NGN: 'Africa/Lagos',
  ZAR: 'Africa/Johannesburg',
}

/** @param locale for the format of numbers and dates */
export function createSpeech(language: string, locale: string, texts: Texts): Translator {
  const plural = new Intl.PluralRules(locale)
  const text: Translator['text'] = (name, values = {}) => filled(texts[name], (part) => part, values)
  // Creating a formatter takes longer than a page: each is created once.
  const inUnit = (unit: string) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  const units = { second: inUnit('second'), minute: inUnit('minute'), hour: inUnit('hour') }
  const unit = (count: number, name: keyof typeof units): string => units[name].format(count)
  const number = new Intl.NumberFormat(locale)
  const moments = new Map<string, Intl.DateTimeFormat>()
  const momentsIn = (timeZone: string): Intl.DateTimeFormat => {
    const format = moments.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone })
    moments.set(timeZone, format)
    return format
  }
  return {
    language,
    text,
    say: (name, values = {}) => filled(texts[name], (part) => html`${part}`, values),
    counted(name, count) {
      const one = plural.select(count) === 'one' ? (`${name}_one` as const) : name
      return text(one, { count: number.format(count) })
    },
    amount: (money) => amountText(money, locale),
    seconds: (count) => unit(count, 'second'),
    wait: (seconds) => {
      if (seconds < 60) return unit(Math.ceil(seconds), 'second')
      const minutes = Math.ceil(seconds / 60)
      return minutes < 90 ? unit(minutes, 'minute') : unit(Math.ceil(minutes / 60), 'hour')
    },
    span: (seconds) => (seconds < 60 ? unit(Math.floor(seconds), 'second') : unit(Math.floor(seconds / 60), 'minute')),
    minutes: (ms) => (ms < 60_000 ? text('lessThanMinute') : unit(Math.floor(ms / 60_000), 'minute')),
    moment: (at, currency) => momentsIn(ZONES[currency] ?? 'UTC').format(at),
  }
}

/** French puts a space before a question mark or colon, where a line must not break. */
const SPACE_BEFORE_MARK = / (?=[?!:;])/g
const NO_BREAK = '\u00a0'

/** Fills in `{name}`. @param made turns a part of the text into markup, or leaves it plain */
export function filled(text: string, made: (part: string) => string, values: Values): string {
  return text
    .replace(SPACE_BEFORE_MARK, NO_BREAK)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? made(part) : (values[part] ?? `{${part}}`)))
    .join('')
}
