import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { masterKeyFault } from './master-key.ts'
import { seededRandom } from './verification/testing/gateway.ts'

test('accepts what the command makes, in base64, base64url and hex', () => {
  const random = seededRandom('master keys')
  for (let n = 0; n < 2_000; n += 1) {
    const bytes = Buffer.from(random.bytes(32 + (n % 3)))
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      expect(masterKeyFault(bytes.toString(encoding))).toBeUndefined()
  }
})

test.each([
  'change-me-from-openssl-rand-base64-32',
  'change-me-change-me-change-me-change-me-change-me-change-me',
  'a'.repeat(32),
  'a'.repeat(64),
  '0'.repeat(64),
  '0123456789abcdef'.repeat(4),
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  'aB3'.repeat(20),
  'Passw0rd'.repeat(8),
  'rehearsal-key-of-32-characters-00',
  'a master key for tests only, nothing real',
  'correct-horse-battery-staple-correct-horse-battery-staple',
  'CorrectHorseBatteryStaplePaymentGatewayMalipo',
  'PleaseChangeThisMasterKeyBeforeYouGoLiveNow1',
  'Change-Me-To-32-random-Bytes-From-openssl-rand',
  'YourMasterKeyHere0123456789AbCdEfGhIjKlMnOpQr',
  'REPLACE-ME-with-openssl-rand-base64-32-output',
  'MalipoProductionMasterKey2026DoNotShareIt1234',
  'S3cr3tMalipoK3yF0rPr0duct10nThatN0b0dyKn0ws',
  'short',
  '',
  randomBytes(31).toString('hex'),
])('refuses a key that a person invented: %s', (key) => {
  expect(masterKeyFault(key)).toMatch(/openssl rand -base64 32$/)
})

test('no deployment example, page or README has a master key that live mode accepts', async () => {
  const files = [
    'README.md',
    '.github/*.md',
    'server/deploy/**/*',
    'openapi/pages/*.md',
    'server/**/*.md',
    'client/**/*.md',
  ]
  let found = 0
  for await (const file of glob(files, {
    exclude: (name) => name.includes('node_modules') || name.endsWith('.test.ts'),
  })) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      continue // a folder
    }
    for (const [, value = ''] of text.matchAll(/MALIPO_MASTER_KEY(?:_OLD)?\s*[=:]\s*['"]?([^\s'"`;]+)/g)) {
      found += 1
      expect(masterKeyFault(value), file).toBeDefined()
    }
  }
  expect(found).toBeGreaterThan(3)
})
