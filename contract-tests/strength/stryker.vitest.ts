import { defineConfig } from 'vitest/config'

/**
 * For `npm run mutation`: the unit tests of the domain and of the signatures, which need neither database nor network.
 * Mutants that survive there change nothing observable: a comparison that TypeScript requires and JavaScript answers
 * the same way (`undefined >= 200`), a default for what a matching regular expression always provides, `>` for `>=`
 * where both give the same, and in phone.ts the cache and redundant checks.
 */
export default defineConfig({
  test: {
    include: ['server/domain/*.test.ts', 'server/callbacks/sign.test.ts'],
    testTimeout: 30_000,
  },
})
