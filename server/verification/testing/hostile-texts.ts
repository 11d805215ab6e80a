import * as fc from 'fast-check'
import type { FoundPattern } from './patterns.ts'

/** Makes a text of about this many characters. */
type HostileText = (characters: number) => string

const SAMPLES = 3
const SAMPLE_CHARACTERS = 40
const REPEATED_CHARACTERS_MAX = 3
/** An ending that hardly any expression matches: the engine backtracks over everything it has matched. */
const ENDS = ['', '\0', '!\n']

/**
 * Texts that are most expensive for a backtracking engine: the start of a match, then a part of it repeated, then
 * something else. In addition, repetitions of the literals of the expression.
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
 * Roughly what the expression matches: look-arounds are skipped, and large classes have one character, because
 * fast-check lists all members.
 */
function samplesOf(source: string, flags: string): string[] {
  const plain = source
    .replace(/\(\?<?[=!](?:[^()\\]|\\[^])*\)/g, '')
    .replace(/\[\^(?:[^\]\\]|\\[^])*\]|\[(?:[^\]\\]|\\[^])*\\[up](?:[^\]\\]|\\[^])*\]|\\[pP]\{\w+\}/g, '[x ]')
    .replaceAll('\\b', '')
    .replace(/\(\?<\w+>/g, '(')
    // Optional parts are present: that is where expressions branch.
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

/** Characters and words that occur in the expression itself. */
const namedParts = (source: string): ReadonlySet<string> =>
  new Set([...ANY_PARTS, ...(source.match(/[A-Za-z]{2,}/g) ?? []).slice(0, 20), ...source.slice(0, 100)])
