import type { IncomingHttpHeaders } from 'node:http'
import { preferredLanguage } from './preferred-language.ts'
import { createSpeech, type Translator } from './speech.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'
import { pt } from './texts/pt.ts'
import { sw } from './texts/sw.ts'

// To add a language, add a file in texts/ and a line here.

interface LanguageEntry {
  /** The language's name in that language. */
  readonly name: string
  readonly speech: Translator
}

/** In the order in which the page offers them. */
export const TONGUES = {
  // Date format as used in Africa: the day before the month.
  en: { name: 'English', speech: createSpeech('en', 'en-GB', en) },
  fr: { name: 'Français', speech: createSpeech('fr', 'fr', fr) },
  sw: { name: 'Kiswahili', speech: createSpeech('sw', 'sw', sw) },
  // Number format as used in Mozambique and Angola: `5000,00 UGX`.
  pt: { name: 'Português', speech: createSpeech('pt', 'pt-MZ', pt) },
} as const satisfies Readonly<Record<string, LanguageEntry>>

export type Language = keyof typeof TONGUES

const COOKIE = 'malipo_lang'
const KEPT_DAYS = 365

const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(TONGUES, text)

/** The language in the address, if we support it. */
export function languageRequested(query: unknown): Language | undefined {
  const { lang } = (query ?? {}) as { lang?: unknown }
  return isLanguage(lang) ? lang : undefined
}

/**
 * The language of the address, else the one chosen before, else the first supported one in the browser's preferences,
 * else English.
 */
export function speechFor(
  query: unknown,
  { cookie = '', 'accept-language': liked = '' }: IncomingHttpHeaders,
): Translator {
  const chosen = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z]{2})(?:;|$)`).exec(cookie)?.[1]
  const language =
    languageRequested(query) ??
    (isLanguage(chosen) ? chosen : undefined) ??
    preferredLanguage(liked, isLanguage) ??
    'en'
  return TONGUES[language].speech
}

/** Remembers the choice for all payment pages, and for nothing else on this host. */
export const setLanguage = (language: Language, secure: boolean): string =>
  `${COOKIE}=${language}; Path=/pay; Max-Age=${KEPT_DAYS * 86_400}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
