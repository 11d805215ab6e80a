import type { Contract, Response } from '../../openapi/reading/contract.ts'
import { isFields } from './json.ts'

/** A sentence of the contract as a pattern for its variable parts. */
export interface DeclaredSentence {
  /** The sentence as written in the contract. */
  readonly text: string
  /** With a group for each value that must come from the request. */
  readonly pattern: RegExp
  /** The `reason` beside it. */
  readonly reason?: string
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Variable parts of a sentence: values of the request, bounds, currencies, names. The first match counts. */
const VARIABLE: readonly (readonly [part: RegExp, as: string])[] = [
  [/\((?:HTTP) \d{3}\)/y, String.raw`\(HTTP \d{3}\)`],
  // A value of the request.
  [/\([^ )]*\)/y, String.raw`\((?<value>.*?)\)`],
  [/^\d{6,} /y, '(?<number>.*?) '],
  // The name of a provider precedes its code.
  [/(?<=is not a valid )[^(]+ (?=\()/y, '[^(]+ '],
  [/There is nothing at \S+/y, String.raw`There is nothing at (?<path>\S+)`],
  [/\b(?:GET|PUT|POST|PATCH|DELETE)\b/y, '[A-Z]+(?:, [A-Z]+)*'],
  // The country code of the provider.
  [/(?<=: send )\d{1,3}(?= and )/y, String.raw`\d{1,3}`],
  [/\b\d+ seconds?\b/y, String.raw`(?<seconds>\d+) seconds?`],
  // Limits of a provider and decimals of a currency; a bound of the contract is not followed by a currency.
  [/\b\d[\d.]*(?= and \d[\d.]* [A-Z]{3}\b)/y, String.raw`\d+(?:\.\d+)?`],
  [/\b\d[\d.]*(?= (?:decimals for )?[A-Z]{3}\b)/y, String.raw`\d+(?:\.\d+)?`],
  [/(?<=does not offer )[A-Z_]+/y, '[A-Z_]+'],
  [/\b[A-Z]{3}\b/y, '[A-Z]{3}'],
  [/(?<=^More than )\d+/y, String.raw`\d+`],
  [/^[A-Z][^(]* (?=\([a-z_]+\) does not answer)/y, '[^(]+ '],
  [/(?<=is also in line )\d+/y, String.raw`\d+`],
  [/\bU\+[0-9A-F]{4}\b/y, String.raw`U\+[0-9A-F]{4}`],
]

/** @param text a message from an example or a page of the contract */
export function sentenceOf(text: string): DeclaredSentence {
  let pattern = ''
  for (let at = 0; at < text.length;) {
    const [length, as] = variableAt(text, at) ?? [1, escaped(text.charAt(at))]
    pattern += as
    at += length
  }
  return { text, pattern: new RegExp(`^${pattern}$`, 's') }
}

function variableAt(text: string, at: number): readonly [number, string] | undefined {
  for (const [part, as] of VARIABLE) {
    part.lastIndex = at
    const found = part.exec(text)?.[0]
    if (found === undefined || (/^[A-Z]{3}$/.test(found) && !METHOD.test(found) && !CURRENCIES.has(found))) continue
    return [found.length, as]
  }
  return undefined
}

const METHOD = /^(GET|PUT)$/

/** Messages in the examples of a response. */
export function sentencesOf({ examples }: Pick<Response, 'examples'>): DeclaredSentence[] {
  const sentences = new Map<string, DeclaredSentence>()
  for (const { value } of examples) {
    if (!isFields(value) || typeof value.message !== 'string') continue
    const { message, reason } = value
    sentences.set(message, { ...sentenceOf(message), ...(typeof reason === 'string' && { reason }) })
  }
  return [...sentences.values()]
}

/** Messages that a page of the contract shows as code: `currency is required`. Empty without such a page. */
export function wordsOfPage({ document }: Contract, name: string): DeclaredSentence[] {
  const page = document.tags?.find((tag) => tag.name === name)?.description ?? ''
  // A message contains a space; code without one is a name, a path or a value.
  const texts = [...page.matchAll(/`([^`\n]+ [^`\n]+)`/g)].map(([, text = '']) => text)
  return [...new Set(texts)].map(sentenceOf)
}
