import type { IncomingHttpHeaders } from 'node:http'
import type { Money } from '../../../domain/money.ts'
import { amountText } from '../../../payment-page/amount.ts'
import { filled } from '../../../payment-page/speech.ts'
import { languageFor, LANGUAGES, type Language, type PageTexts } from './languages.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'

type Values = Readonly<Record<string, string>>
type CountedName<Name extends string> = { [Each in Name]: `${Each}_one` extends Name ? Each : never }[Name]

/** Texts of one page in one language. All are plain, to be escaped where they are used. */
export interface Say<Name extends string> {
  (name: Name, values?: Values): string
  /** A countable thing: `rows_one` for the singular, `rows` for any other number; fills in `{count}`. */
  counted(name: CountedName<Name>, count: number): string
}

/** What the texts of a page say, and those of the frame. */
export type SayOf<Texts extends PageTexts> = Say<(keyof Texts['en'] & string) | keyof typeof en>

/** Who looks at a page: their language, and their time zone. All pieces format with it. */
export interface Viewer {
  readonly language: Language
  /** An IANA name. */
  readonly zone: string
  /** The texts of the frame and its pieces. */
  readonly say: Say<keyof typeof en>
  /** The texts of a page (languages.ts, `pageTexts`); a name that it has not is one of the frame. */
  texts<Name extends string>(texts: PageTexts<Name>): SayOf<PageTexts<Name>>
  number(value: number | bigint): string
  /** @param ratio of 0 to 1, as `93.4%` */
  percent(ratio: number): string
  /** `KES 5,000.00`; a negative amount has its sign in front. */
  money(money: Money): string
  /** `27 Nov 2026, 19:16`. */
  moment(at: Date): string
  /** `27 Nov 2026, 19:16:04`. */
  second(at: Date): string
  /** `27 Nov` of a calendar day `2026-11-27`, in no zone. */
  day(isoDay: string): string
}

const FRAME: PageTexts<keyof typeof en> = { en, fr }
const MOMENT = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const

/** Creating the formatters takes longer than a page. There are few zones, and this bounds them. */
const viewers = new Map<string, Viewer>()
const VIEWERS_MAX = 200

/** @param zone an IANA name; UTC when it is none */
export function viewerOf(language: Language, zone: string): Viewer {
  const name = `${language} ${zone}`
  const known = viewers.get(name)
  if (known) return known
  if (viewers.size >= VIEWERS_MAX) viewers.clear()
  const viewer = createViewer(language, isZone(zone) ? zone : 'UTC')
  viewers.set(name, viewer)
  return viewer
}

/** Whoever sends a request: in their language, and the zone that the script of a page has stored; without it UTC. */
export const viewerOfRequest = ({ query, headers }: { query: unknown; headers: IncomingHttpHeaders }): Viewer =>
  viewerOf(languageFor(query, headers), cookieValue(headers.cookie, 'malipo_zone')?.slice(0, 60) ?? 'UTC')

/** Undefined for a value that is none: scripts, extensions and people change cookies. */
export function cookieValue(cookies: string | undefined, name: string): string | undefined {
  const [, text] = new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(cookies ?? '') ?? []
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function createViewer(language: Language, zone: string): Viewer {
  const { locale } = LANGUAGES[language]
  const plural = new Intl.PluralRules(locale)
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone: zone })
  const second = new Intl.DateTimeFormat(locale, { ...MOMENT, second: '2-digit', timeZone: zone })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const common: Readonly<Record<string, string>> = FRAME[language]
  const textsOf = <Name extends string>(texts: PageTexts<Name>): SayOf<PageTexts<Name>> => {
    const own: Readonly<Record<string, string>> = texts[language]
    const say = (name: string, values: Values = {}): string =>
      filled(own[name] ?? common[name] ?? name, (part) => part, values)
    const counted = (name: string, count: number): string =>
      say(plural.select(count) === 'one' ? `${name}_one` : name, { count: number.format(count) })
    return Object.assign(say, { counted })
  }
  return {
    language,
    zone,
    say: textsOf(FRAME),
    texts: textsOf,
    number: (value) => number.format(value),
    percent: (ratio) => percent.format(ratio),
    money: ({ amountMinor, currency }) =>
      amountMinor < 0n
        ? `\u2212${amountText({ amountMinor: -amountMinor, currency }, locale)}`
        : amountText({ amountMinor, currency }, locale),
    moment: (at) => moment.format(at),
    second: (at) => second.format(at),
    day: (isoDay) => day.format(new Date(`${isoDay}T00:00:00Z`)),
  }
}
