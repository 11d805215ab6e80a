import * as fc from 'fast-check'
import type { FoundPattern } from './patterns.ts'

/** Makes a text of about so many characters. */
export type HostileText = (characters: number) => string

const SAMPLES = 3
const SAMPLE_CHARACTERS = 40
const REPEATED_CHARACTERS_MAX = 3
/** Ends that hardly any expression expects: it goes back through all that it took. */
const ENDS = ['', '\0', '!\n']

/**
 * Texts that cost a backtracking engine most: the start of what the expression matches, then a part of it over and
 * over, then something else. Beside them what the expression names, over and over.
 */
export function hostileTexts({ source, flags }: FoundPattern): HostileText[] {
  const starts = [...samplesOf(source, flags), '']
  const parts = new Set<string>()
  const texts: HostileText[] = []
  const add = (start: string, part: string): void => {
    const key = `${start}\n${part}`
    if (part === '' || parts.has(key)) return
    parts.add(key)
    for (const end of ENDS) texts.push((characters) => start + repeated(part, characters) + end)
  }
  for (const start of starts)
    for (let from = 0; from <= start.length; from += 1) {
      add(start.slice(0, from), ' ')
      for (let length = 1; length <= REPEATED_CHARACTERS_MAX; length += 1)
        add(start.slice(0, from), start.slice(from, from + length))
    }
  for (const part of namedParts(source)) add('', part)
  return texts
}

const repeated = (part: string, characters: number): string => part.repeat(Math.ceil(characters / part.length))

/**
 * What the expression matches, more or less: look-arounds are left out, and large classes have one character, because
 * fast-check makes a list of all.
 */
function samplesOf(source: string, flags: string): string[] {
  const plain = source
    .replace(/\(\?<?[=!](?:[^()\\]|\\[^])*\)/g, '')
    .replace(/\[\^(?:[^\]\\]|\\[^])*\]|\[(?:[^\]\\]|\\[^])*\\[up](?:[^\]\\]|\\[^])*\]|\\[pP]\{\w+\}/g, '[x ]')
    .replaceAll('\\b', '')
    .replace(/\(\?<\w+>/g, '(')
    // What may be absent is there: that is where expressions go two ways.
    .replace(/\)\?(?!\?)/g, ')')
  try {
    const matches = fc.stringMatching(new RegExp(plain, flags.replace(/[giy]/g, '')), { size: 'xsmall' })
    return fc.sample(matches, { numRuns: SAMPLES, seed: 1 }).map((sample) => sample.slice(0, SAMPLE_CHARACTERS))
  } catch {
    return []
  }
}

const ANY_PARTS = [
  ' ',
  '\t',
  '\n',
  '0',
  '1',
  'a',
  'A',
  'a ',
  '0 ',
  '-',
  '.',
  '/',
  '*',
  '=',
  '"',
  '<',
  '{',
  '[',
  '\\',
  ';',
  ',',
  '%41',
]

/** Characters and words that stand in the expression itself. */
const namedParts = (source: string): ReadonlySet<string> =>
  new Set([...ANY_PARTS, ...(source.match(/[A-Za-z]{2,}/g) ?? []).slice(0, 20), ...source.slice(0, 100)])
