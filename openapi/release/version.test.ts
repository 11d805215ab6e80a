import { expect, test } from 'vitest'
import type { Level } from './change.ts'
import { judge, type JudgedChange, newEntries, nextVersion, stepBetween } from './version.ts'

const change = (level: Level, ...subjects: string[]): JudgedChange => ({
  level,
  where: 'openapi/components/schemas/Msisdn.yaml#/maxLength',
  what: 'it changed',
  subjects,
})
const log = (...entries: string[]): string =>
  `# Changelog\n\n## Unreleased\n\n${entries.map((entry) => `- ${entry}\n`).join('')}\n## 0.1.0\n\n- The first \`msisdn\`.\n`
const judged = (changes: readonly JudgedChange[], version: string, changelog: string) =>
  judge(changes, { releasedVersion: '0.1.0', version, changelog })

test.each([
  ['0.1.0', '0.1.0', undefined],
  ['0.1.0', '0.0.9', undefined],
  ['1.2.3', '1.2.4', 'patch'],
  ['1.2.3', '1.3.0', 'minor'],
  ['0.9.9', '1.0.0', 'major'],
  ['1.2.3', '2.0.0-rc.1', 'major'],
])('from %s to %s the step is %s', (released, current, step) => {
  expect(stepBetween(released, current)).toBe(step)
})

test('a breaking change takes the next major version, below 1.0.0 too', () => {
  expect([nextVersion('0.1.0', 'major'), nextVersion('1.4.2', 'minor'), nextVersion('1.4.2', 'patch')]).toEqual([
    '1.0.0',
    '1.5.0',
    '1.4.3',
  ])
})

test('entries count as new above the section of the released version only', () => {
  expect(newEntries(log('One `a`\n  on two lines', 'Two'), '0.1.0')).toEqual(['One `a`\n  on two lines\n', 'Two\n\n'])
  expect(newEntries('## 0.2.0\n- New\n## v0.1.0\n- Old\n', '0.1.0')).toEqual(['New\n'])
})

const EVENT = change('minor', 'transaction.expired')
const NARROWER = change('major', 'msisdn')

test.each([
  ['nothing changed, as the same version', [], '0.1.0', log()],
  ['only texts changed, as the same version', [change('patch', 'msisdn')], '0.1.0', log()],
  ['with a new event, which version and changelog name', [EVENT], '0.2.0', log('The event `transaction.expired`.')],
  ['with a new path, named alone', [change('minor', '/data/x')], '0.2.0', log('`/data/x` lists them.')],
  ['with a new path, named with its method', [change('minor', '/data/x')], '0.2.0', log('`GET /data/x` lists them.')],
  [
    'with a narrower request, as a major version with a breaking entry',
    [change('major', 'msisdn', 'account_number')],
    '1.0.0',
    log('**Breaking**: `account_number` has at most 10 characters.'),
  ],
] as const)('a contract may be released: %s', (_, changes, version, changelog) => {
  expect(judged(changes, version, changelog)).toEqual([])
})

test.each([
  [
    'with a new event as the same version',
    EVENT,
    '0.1.0',
    log(),
    /^it changed: minor since 0.1.0; package.json says 0.1.0 and must say 0.2.0 or later, and CHANGELOG.md needs an entry with `transaction.expired` in it, above 0.1.0$/,
  ],
  [
    'with a new event that the changelog does not name',
    EVENT,
    '0.2.0',
    log('Something `else`.'),
    /since 0.1.0; CHANGELOG.md needs an entry with `transaction.expired`/,
  ],
  [
    'with a narrower request as a minor version',
    NARROWER,
    '0.2.0',
    log('**Breaking**: `msisdn` is shorter.'),
    /package.json says 0.2.0 and must say 1.0.0 or later$/,
  ],
  [
    'with a narrower request not called breaking',
    NARROWER,
    '1.0.0',
    log('`msisdn` is shorter.'),
    /that begins with \*\*Breaking\*\*/,
  ],
  ['with a narrower request that only old entries name', NARROWER, '1.0.0', log(), /./],
] as const)('a contract may not be released: %s', (_, one, version, changelog, why) => {
  const { where } = one
  expect(judged([one], version, changelog)).toEqual([{ where, why: expect.stringMatching(why) as string }])
})
