import { expect, test } from 'vitest'
import manifest from './package.json' with { type: 'json' }
import { USER_AGENT } from './user-agent.ts'

test('the user agent has the version of the package', () => {
  expect(USER_AGENT).toBe(`malipo-client/${manifest.version}`)
})
