import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { daraja } from './daraja/daraja.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import { RAIL_KINDS } from './registry.ts'
import type { RailSetting } from './rail-kind.ts'
import { COMMON_SETTINGS, faultsOfSettings, fixedIn, settingsOf, withDefaults } from './settings.ts'

const page = readFileSync(new URL('../../openapi/pages/rails.md', import.meta.url), 'utf8')

/** The table rows below a heading of the page. */
function rowsBelow(heading: string): string[][] {
  const [, text = ''] = page.split(`\n### ${heading}\n`)
  const [section = ''] = text.split(/\n##/)
  return [...section.matchAll(/^\| `([a-z0-9_]+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(([, ...cells]) => cells)
}

function whenSkipped({ default: value, optional, secret }: RailSetting): string {
  const needed = optional ? 'optional' : 'must be given'
  return `${value === undefined ? needed : `\`${value}\``}${secret ? ', secret' : ''}`
}

const rowsOf = (settings: Readonly<Record<string, RailSetting>>): string[][] =>
  Object.entries(settings).map(([name, setting]) => [name, setting.meaning, whenSkipped(setting)])

test('the page "Rails" has exactly the settings that every rail account has', () =>
  expect(rowsBelow('Settings of every rail account')).toEqual(rowsOf(COMMON_SETTINGS)))

test.each(RAIL_KINDS)('the page "Rails" has exactly the settings of $name', ({ name, settings }) =>
  expect(rowsBelow(`Settings of ${name}`)).toEqual(rowsOf(settings)),
)

test.each(RAIL_KINDS)('no setting of $name has the name of a common one', ({ settings }) =>
  expect(Object.keys(settings).filter((name) => Object.hasOwn(COMMON_SETTINGS, name))).toEqual([]),
)

test.each(RAIL_KINDS)('every default of $name is usable', (kind) => {
  const faults = Object.entries(settingsOf(kind)).map(([name, setting]) => [
    name,
    setting.default === undefined ? undefined : setting.fault?.(setting.default),
  ])
  expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
})

const EXAMPLE = {
  name: 'example',
  title: 'Example',
  types: ['COLLECTION'],
  callbackTails: [],
  settings: {
    key: { meaning: 'the key of the example', secret: true, fault: () => 'must be another' },
    region: { meaning: 'where it is', default: 'east' },
    note: { meaning: 'a note', optional: true },
  },
  connect: () => {
    throw new Error('nothing is connected here')
  },
} as const satisfies (typeof RAIL_KINDS)[number]

test('reports every fault with its setting, and repeats no wrong secret', () =>
  expect(faultsOfSettings(EXAMPLE, { key: 'TOP-SECRET', colour: 'red', concurrency: '0' })).toEqual([
    'colour is no setting of example',
    'key must be another',
    'concurrency must be a whole number from 1 to 256',
  ]))

test('an empty required value is missing; an optional or defaulted one is not', () =>
  expect(faultsOfSettings(EXAMPLE, { key: '', region: '', note: '' })).toEqual([
    'key is missing: it is the key of the example',
  ]))

test('an unset value has its default, a set one stays', () =>
  expect(withDefaults(EXAMPLE, { key: 'k', timeout_ms: '500' })).toMatchObject({
    key: 'k',
    region: 'east',
    timeout_ms: '500',
    concurrency: '16',
  }))

test.each([
  ['callback_base_url', 'https://pay.example', undefined],
  ['callback_base_url', 'http://[::1]:8080', undefined],
  ['callback_base_url', 'https://pay.example/', 'must be an http or https URL without a path'],
  ['callback_base_url', 'ftp://pay.example', 'must be an http or https URL without a path'],
  ['callback_base_url', 'https://me:secret@pay.example', 'must be an http or https URL without a path'],
  ['requests_per_second', '10001', 'must be a whole number from 1 to 10000'],
  ['requests_per_second', '2.5', 'must be a whole number from 1 to 10000'],
  ['timeout_ms', '20001', 'must be a whole number from 100 to 20000'],
  ['failures_until_open', '0', 'must be a whole number from 1 to 1000'],
  ['retry_after_ms', '3600000', undefined],
  ['inactive_while_down', 'maybe', 'must be yes or no'],
] as const)('%s %s: %s', (name, value, fault) => expect(COMMON_SETTINGS[name].fault(value)).toBe(fault))

const USER = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
const before = { target_environment: 'mtnuganda', collection_api_user: USER, collection_api_key: 'a key' }

test("lists changed settings of an order's identity or target, not keys and limits", () => {
  expect(
    fixedIn(mtnMomo, before, {
      target_environment: 'mtnghana',
      collection_api_user: USER.replace('3', '4'),
      collection_api_key: 'a newer key',
      requests_per_second: '5',
    }),
  ).toEqual(['target_environment', 'collection_api_user'])
  expect(fixedIn(daraja, { short_code: '600000' }, { short_code: '600001', passkey: 'a newer one' })).toEqual([
    'short_code',
  ])
})

test('equal settings change nothing; a product may be added, and not removed', () => {
  expect(fixedIn(mtnMomo, before, before)).toEqual([])
  expect(fixedIn(mtnMomo, before, { disbursement_api_user: USER })).toEqual([])
  expect(fixedIn(mtnMomo, before, { collection_api_user: '' })).toEqual(['collection_api_user'])
})

test('another payout number is another identity, even where none was set before', () => {
  expect(fixedIn(daraja, { short_code: '600000' }, { payout_short_code: '600001' })).toEqual(['payout_short_code'])
  expect(fixedIn(daraja, { short_code: '600000' }, { payout_short_code: '' })).toEqual([])
})
