import type { IncomingHttpHeaders } from 'node:http'
import { createSpeech, type Speech } from './speech.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'
import { pt } from './texts/pt.ts'
import { sw } from './texts/sw.ts'

// Another language is a file in texts/ and a line here.

interface Tongue {
  /** As its speakers call it. */
  readonly name: string
  readonly speech: Speech
}

/** In the order in which the page offers them. */
export const TONGUES = {
  // As it is written in Africa: the day before the month.
  en: { name: 'English', speech: createSpeech('en', 'en-GB', en) },
  fr: { name: 'Français', speech: createSpeech('fr', 'fr', fr) },
  sw: { name: 'Kiswahili', speech: createSpeech('sw', 'sw', sw) },
  // As it is written in Mozambique and Angola: `5000,00 UGX`.
  pt: { name: 'Português', speech: createSpeech('pt', 'pt-MZ', pt) },
} as const satisfies Readonly<Record<string, Tongue>>

export type Language = keyof typeof TONGUES

const COOKIE = 'malipo_lang'
const KEPT_DAYS = 365

const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(TONGUES, text)

/** What the address asks for, if it is one that we have. */
export function languageAsked(query: unknown): Language | undefined {
  const { lang } = (query ?? {}) as { lang?: unknown }
  return isLanguage(lang) ? lang : undefined
}

/** The language of the address, else the one chosen before, else the first that the browser likes, else English. */
export function speechFor(query: unknown, { cookie = '', 'accept-language': liked = '' }: IncomingHttpHeaders): Speech {
  const chosen = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z]{2})(?:;|$)`).exec(cookie)?.[1]
  const language = languageAsked(query) ?? (isLanguage(chosen) ? chosen : undefined) ?? likedBest(liked) ?? 'en'
  return TONGUES[language].speech
}

/** Remembers the choice for all of the payment pages, and for nothing else of this host. */
export const setLanguage = (language: Language, secure: boolean): string =>
  `${COOKIE}=${language}; Path=/pay; Max-Age=${KEPT_DAYS * 86_400}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** RFC 9110, section 12.5.4; `fr-CD` is French. */
function likedBest(header: string): Language | undefined {
  return header
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((piece) => piece.trim())
      const weight = parameters.find((piece) => piece.startsWith('q='))
      return { language: tag.split('-', 1)[0], weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .find(isLanguage)
}
