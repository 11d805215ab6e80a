import { expect, test } from 'vitest'
import { maskReply } from './callbacks/mask-reply.ts'
import { maskText } from './domain/masking/mask-text.ts'
import { maskMessage, maskPath } from './rails/exchange/mask-exchange.ts'
import { safeError } from './safe-error.ts'
import { costOf, DOUBLED_COST_MAX, doubledCost } from './verification/testing/doubling.ts'
import { hostileTexts } from './verification/testing/hostile-texts.ts'
import {
  patternsMadeBy,
  patternsOfContract,
  patternsOfSource,
  type FoundPattern,
} from './verification/testing/patterns.ts'

// No foreign text may cost quadratic time (ReDoS): each regular expression that sees foreign text, and the functions
// that mask whole foreign texts, run on inputs that double in length.

/** As long as the largest body that is read: an operator's reply. */
const CHARACTERS_MAX = 256 * 1024

/** Tools, and modules that read only our own files. */
const OWN_FILES =
  /^server\/(?:verification|deploy|local\/embedded-postgres|rails\/conformance)\/|\/testing\/|^client\/(?:packaging|recipes)\//

/** Expressions that see only our own text, each with where that text comes from. */
const OWN_TEXT: readonly (readonly [file: string, source: string, text: string])[] = [
  ['openapi/reading/wire.ts', '\\{', 'paths of the contract'],
  ['server/http/contract-backend.ts', '\\{', 'paths of the contract'],
  ['openapi/operators/simulator/world/decimal.ts', '0+$', 'a number of so many decimals'],
  ['client/toolbox/wrap.ts', ' *[^ ]+', 'our help texts'],
  ['client/options.ts', '\\/+$', "the developer's own address of the API"],
  ['server/setting-values.ts', '\\/+$', 'a setting'],
  ['server/master-key.ts', '=+$', 'a setting'],
]
const ownText = ({ at, source }: FoundPattern) =>
  OWN_TEXT.find(([file, part]) => at.startsWith(`${file}:`) && source.includes(part))

const { literals, made } = patternsOfSource([
  '{server,client}/**/*.ts',
  'openapi/{reading,operators/simulator}/**/*.ts',
])
const isForeign = (at: string): boolean => !/\.test\.ts/.test(at) && !OWN_FILES.test(at)
const all = [
  ...literals,
  ...(await Promise.all(made.filter(isForeign).map(patternsMadeBy))).flat(),
  ...['openapi', 'operators/daraja', 'operators/mtn-momo'].flatMap((name) =>
    patternsOfContract(`generated/${name}.json`),
  ),
].filter(({ at }) => isForeign(at))
const foreign = [
  ...new Map(all.filter((each) => !ownText(each)).map((each) => [`${each.source}/${each.flags}`, each])).values(),
]

/**
 * A linear expression takes microseconds for these: only slower ones are measured. An exponential cost shows at the
 * first, a cubic one at the second, a quadratic one at the last.
 */
const SCREENED_CHARACTERS = [128, 512, 4_096]
const SUSPICIOUS_MS = 1

/** Time has passed whenever processor time has, and costs no system call to read. */
function isSuspicious(run: (text: string) => unknown, text: string): boolean {
  const startedAt = performance.now()
  run(text)
  return performance.now() - startedAt > SUSPICIOUS_MS && costOf(run, text) > SUSPICIOUS_MS
}

/** @returns the beginning of a text whose doubling costs too much */
function slowText(pattern: FoundPattern): string | undefined {
  const expression = new RegExp(pattern.source, pattern.flags)
  const run = (text: string): unknown => text.replace(expression, '')
  return hostileTexts(pattern).find(
    (textOf) =>
      SCREENED_CHARACTERS.some((characters) => isSuspicious(run, textOf(characters))) &&
      doubledCost(run, textOf, CHARACTERS_MAX) > DOUBLED_COST_MAX,
  )?.(40)
}

test('finds the expressions of the source and of the contracts', () => {
  expect(foreign.length).toBeGreaterThan(300)
  expect(foreign.some(({ at }) => at.startsWith('generated/openapi.json'))).toBe(true)
})

test.each([
  ['[\\w-]*(?:token|secret)[\\w-]*=', 'gi'],
  ['^\\s*([a-z]+)\\s*=\\s*(\\S.*?)\\s*$', ''],
  ['^(?<y>\\d{4})(?:[T\\s]+(?<h>\\d{1,2}):\\d\\d\\s*(?<half>[ap]m)?)?\\s*(?<zone>Z)?$', ''],
  ['0+$', ''],
  ['^in=\\s*([^;]*?\\S)\\s*;$', ''],
  ['[eE].*$', ''],
])('finds the quadratic expression %s', (source, flags) =>
  expect(slowText({ at: 'here', source, flags })).toBeDefined(),
)

test('expressions on foreign text cost at most twice for twice the length', () => {
  const slow = foreign.map((pattern) => [pattern.at, pattern.source, slowText(pattern)])
  expect(slow.filter(([, , text]) => text !== undefined)).toEqual([])
})

test('each excluded expression exists', () =>
  expect(
    OWN_TEXT.filter((own) => !all.some((each) => ownText(each) === own)).map(([file, source]) => [file, source]),
  ).toEqual([]))

const LARGE = [
  'passws',
  'token',
  'pin:',
  '"pin":"',
  '<a ',
  '<pin>',
  '1 ',
  '1-',
  'a=b&',
  '{"a":',
  '\\"otp\\":',
  'payer name ',
]

const MASKS: readonly (readonly [name: string, mask: (text: string) => unknown])[] = [
  ['a message', (text) => maskMessage({ headers: [['x', text]], body: Buffer.from(text) }, ['a-secret'])],
  ['a path', (text) => maskPath(`/a?${text}`, ['a-secret'])],
  ['a text', (text) => maskText(text, 4_096)],
  [
    "a merchant's reply",
    (text) =>
      maskReply(text, { secrets: { signingKeys: ['k'], webhookSecrets: [] }, account: '1', names: ['a a a'] }, 1_024),
  ],
  ['an error', (text) => safeError(new Error(text))],
]

test.each(MASKS)('masking %s of twice the length costs at most twice', (_what, mask) => {
  for (const part of LARGE)
    expect(
      doubledCost(mask, (length) => part.repeat(length / part.length), CHARACTERS_MAX),
      part,
    ).toBeLessThan(DOUBLED_COST_MAX)
})
