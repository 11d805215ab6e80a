import { defineConfig } from 'vitest/config'

/**
 * For `npm run mutation`: the unit tests of the domain and of the signatures, which need neither database nor network.
 * What Stryker leaves alive there changes nothing that could be seen: a comparison that TypeScript asks for and
 * JavaScript answers the same way (`undefined >= 200`), a default for what a regular expression that fits always gives,
 * `>` for `>=` where both sides give the same, and in phone.ts the memory and checks of which another one sees the same.
 */
export default defineConfig({
  test: {
    include: ['server/domain/*.test.ts', 'server/callbacks/sign.test.ts'],
    testTimeout: 30_000,
  },
})
