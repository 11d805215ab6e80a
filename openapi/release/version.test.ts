import { describe, expect, test } from 'vitest'
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

describe('a contract may be released', () => {
  test('when nothing changed, as the same version', () => {
    expect(judged([], '0.1.0', log())).toEqual([])
  })
  test('when only texts changed, as the same version', () => {
    expect(judged([change('patch', 'msisdn')], '0.1.0', log())).toEqual([])
  })
  test('with a new event, when the minor version and the changelog say it', () => {
    expect(judged([change('minor', 'transaction.expired')], '0.2.0', log('The event `transaction.expired`.'))).toEqual(
      [],
    )
  })
  test('with a new path, which the changelog names alone or with its method', () => {
    for (const named of ['`/data/currencies`', '`GET /data/currencies`'])
      expect(judged([change('minor', '/data/currencies')], '0.2.0', log(`${named} lists them.`))).toEqual([])
  })
  test('with a narrower request, given a major version and a breaking changelog entry', () => {
    expect(
      judged(
        [change('major', 'msisdn', 'account_number')],
        '1.0.0',
        log('**Breaking**: `account_number` has at most 10 characters.'),
      ),
    ).toEqual([])
  })
})

describe('a contract may not be released', () => {
  test('with a new event as the same version, naming file, needed version and entry', () => {
    expect(judged([change('minor', 'transaction.expired')], '0.1.0', log())).toEqual([
      {
        where: 'openapi/components/schemas/Msisdn.yaml#/maxLength',
        why: 'it changed: minor since 0.1.0; package.json says 0.1.0 and must say 0.2.0 or later, and CHANGELOG.md needs an entry with `transaction.expired` in it, above 0.1.0',
      },
    ])
  })
  test('with a new event as the next minor version when the changelog is silent', () => {
    expect(judged([change('minor', 'transaction.expired')], '0.2.0', log('Something `else`.'))).toMatchObject([
      { why: expect.stringMatching(/since 0.1.0; CHANGELOG.md needs an entry with `transaction.expired`/) },
    ])
  })
  test('with a narrower request as the next minor version', () => {
    expect(judged([change('major', 'msisdn')], '0.2.0', log('**Breaking**: `msisdn` is shorter.'))).toMatchObject([
      { why: expect.stringMatching(/package.json says 0.2.0 and must say 1.0.0 or later$/) },
    ])
  })
  test('with a narrower request that the changelog does not call breaking', () => {
    expect(judged([change('major', 'msisdn')], '1.0.0', log('`msisdn` is shorter.'))).toMatchObject([
      { why: expect.stringContaining('that begins with **Breaking**') },
    ])
  })
  test('with a narrower request that only the entries of the released version name', () => {
    expect(judged([change('major', 'msisdn')], '1.0.0', log())).toHaveLength(1)
  })
})
