import type { IncomingHttpHeaders } from 'node:http'
import { preferredLanguage } from '../../../payment-page/preferred-language.ts'

// To add a language: a line here, a file in texts/, and what then no longer compiles.

/** In the order in which the pages offer them; a locale is for numbers and dates. */
export const LANGUAGES = {
  // Date format as used in Africa: the day before the month.
  en: { name: 'English', locale: 'en-GB' },
  fr: { name: 'Français', locale: 'fr' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly locale: string }>>

export type Language = keyof typeof LANGUAGES

/** The texts of one page, in all languages. */
export type PageTexts<Name extends string = string> = Readonly<Record<Language, Readonly<Record<Name, string>>>>

/** Declares the texts of a page: one that a language lacks, or that only it has, does not compile. */
export const pageTexts = <const Texts extends Readonly<Record<string, string>>>(texts: {
  readonly [Each in Language]: Each extends 'en' ? Texts : Readonly<Record<keyof NoInfer<Texts>, string>>
}): PageTexts<keyof Texts & string> => texts

const COOKIE = 'malipo_console_lang'
const KEPT_DAYS = 365

const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(LANGUAGES, text)

/** The language in the address (`?lang=`), to be remembered with `languageCookie`. */
export function languageRequested(query: unknown): Language | undefined {
  const { lang } = (query ?? {}) as { lang?: unknown }
  return isLanguage(lang) ? lang : undefined
}

/** The language of the address, else the one chosen before, else the first one that the browser prefers, else English. */
export function languageFor(
  query: unknown,
  { cookie = '', 'accept-language': liked = '' }: IncomingHttpHeaders,
): Language {
  const chosen = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z]{2})(?:;|$)`).exec(cookie)?.[1]
  return (
    languageRequested(query) ??
    (isLanguage(chosen) ? chosen : undefined) ??
    preferredLanguage(liked, isLanguage) ??
    'en'
  )
}

/** A `Set-Cookie` header that remembers the choice. */
export const languageCookie = (language: Language, isSecure: boolean): string =>
  `${COOKIE}=${language}; Path=/; Max-Age=${KEPT_DAYS * 86_400}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
