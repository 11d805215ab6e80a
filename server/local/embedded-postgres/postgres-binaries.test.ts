import { expect, test } from 'vitest'
import { launchRefusal } from './postgres-binaries.ts'

const NO_LOADER = 'userns: sh: 1: exec: /bin/postgres: not found'

test.each([
  ['musl', [NO_LOADER, `other-user: nobody\n${NO_LOADER}`], /built for glibc: where that is absent, as on Alpine/],
  ['no namespaces', ['userns: unshare failed', NO_LOADER], /PostgreSQL refuses to run as root/],
])('names the cure to root on a system with %s', (_, failures, cure) => {
  expect(launchRefusal(failures, true).message).toMatch(cure)
})
