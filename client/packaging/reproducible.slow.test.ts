import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { pack, run } from './testing/packed.ts'

// Rebuilding a package gives the same bytes: the package in the registry can be compared with the sources.

/** Another day, and a user whose files nobody else may read. */
const OTHERWISE =
  "umask 077 && find . -type f -exec chmod go-rwx {} + -exec touch -d '2001-02-03T04:05:06Z' {} + && TZ=Asia/Tokyo npm pack --json --loglevel=error --pack-destination"

async function packedTwice(packageFolder: string, reached: readonly string[] = []): Promise<void> {
  const packed = await pack(packageFolder, reached)
  const other = await mkdtemp(join(tmpdir(), 'malipo-packed-again-'))
  try {
    const said = await run('sh', ['-c', `${OTHERWISE} '${other}'`], packed.copy)
    const [{ filename }] = JSON.parse(said) as [{ readonly filename: string }]
    expect((await readFile(join(other, filename))).equals(await readFile(packed.tarball))).toBe(true)
  } finally {
    await packed.remove()
    await rm(other, { recursive: true, force: true })
  }
}

const timeout = 240_000

testNightly('the client packed twice is the same byte for byte', { timeout }, () => packedTwice('client'))

testNightly('the simulators packed twice are the same byte for byte', { timeout }, () =>
  packedTwice('openapi/operators/simulator', ['openapi/reading', 'client/packaging']),
)

testNightly('the runner packed twice is the same byte for byte', { timeout }, () =>
  packedTwice('contract-tests/schemathesis-runner-wrapper'),
)
