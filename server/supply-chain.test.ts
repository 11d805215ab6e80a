import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './verification/testing/temporary-folder.ts'

// Third-party dependencies are listed, audited, and pinned.

const root = fileURLToPath(new URL('..', import.meta.url))
const BIN = join(root, 'node_modules/.bin')

const { path: folder } = temporaryFolder()

interface CommandResult {
  readonly code: number
  readonly out: string
}

/** Runs a program with these folders first on its path. */
const run = (program: string, args: readonly string[], before: readonly string[] = []): Promise<CommandResult> =>
  new Promise((resolve) => {
    const PATH = [...before, BIN, process.env['PATH']].join(delimiter)
    execFile(program, args, { env: { ...process.env, PATH } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: `${stdout}${stderr}` }),
    )
  })

interface Bom {
  readonly bomFormat: string
  readonly metadata: { readonly component: { readonly name: string; readonly type: string; readonly version: string } }
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string }[]
}
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
interface LockedPackage {
  readonly version?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
}
interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const read = async <Value>(path: string): Promise<Value> => JSON.parse(await readFile(path, 'utf8')) as Value

test("the SBOM lists every runtime dependency's version and no build or test tool", async () => {
  const file = join(folder, 'sbom.json')
  expect(await run(process.execPath, [join(root, 'server/verification/testing/sbom.ts'), file])).toMatchObject({
    code: 0,
  })
  const bom = await read<Bom>(file)
  const manifest = await read<Manifest>(join(root, 'package.json'))
  const lock = await read<Lock>(join(root, 'package-lock.json'))
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX' })
  expect(bom.metadata.component).toMatchObject({ name: 'malipo', type: 'application', version: manifest.version })
  const listed = bom.components.map(({ 'bom-ref': ref }) => ref)
  expect(listed).toEqual(
    expect.arrayContaining(Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`)),
  )
  const byNeed = (only: boolean): string[] =>
    Object.entries(lock.packages)
      .filter(
        ([path, { dev, optional, devOptional }]) =>
          path.includes('node_modules/') && !optional && !devOptional && (dev === true) === only,
      )
      .flatMap(([path, { version, link }]) =>
        link ? [] : [`${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`],
      )
  const needed = byNeed(false)
  expect(needed.filter((ref) => !listed.includes(ref))).toEqual([])
  expect(byNeed(true).filter((ref) => !needed.includes(ref) && listed.includes(ref))).toEqual([])
  expect(Object.keys(manifest.devDependencies).filter((name) => listed.includes(name))).toEqual([])
})

test('Scarf reports nothing: npm 11 does not run it, and it is off for npm 10', async () => {
  const { allowScripts, scarfSettings } = await read<Record<string, unknown>>(join(root, 'package.json'))
  expect(allowScripts).toMatchObject({ '@scarf/scarf': false })
  expect(scarfSettings).toEqual({ enabled: false })
})

describe('the audit', () => {
  /** A fake npm with these results. */
  async function npmThatSays(audit: string, auditCode: number, signatures: string, signaturesCode: number) {
    const bin = await mkdtemp(join(folder, 'npm-'))
    await writeFile(join(bin, 'audit'), audit)
    await writeFile(join(bin, 'signatures'), signatures)
    await writeFile(
      join(bin, 'npm'),
      `#!/bin/sh\n[ "$2" = signatures ] && { cat '${bin}/signatures' >&2; exit ${signaturesCode}; }\ncat '${bin}/audit'; exit ${auditCode}\n`,
    )
    await chmod(join(bin, 'npm'), 0o755)
    return run(join(root, '.ci/audit'), [], [bin])
  }
  const counts = (high: number) => ({ critical: 0, high, moderate: 2, low: 0 })
  const found = (severity: string, high: number) =>
    JSON.stringify({
      vulnerabilities: { leaky: { name: 'leaky', severity, range: '<1.2.3' } },
      metadata: { vulnerabilities: counts(high) },
    })
  const VERIFIED = 'audited 90 packages in 1s\n\n90 packages have verified registry signatures\n'

  test('fails for a high finding, and names it', async () => {
    const { code, out } = await npmThatSays(found('high', 1), 1, VERIFIED, 0)
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('high: leaky <1.2.3') })
  })

  test('goes on with moderate ones', async () => {
    const { code, out } = await npmThatSays(found('moderate', 0), 1, VERIFIED, 0)
    expect(out).toBe('audited: 0 critical, 0 high, 2 moderate, 0 low\n90 packages have verified registry signatures\n')
    expect(code).toBe(0)
  })

  test.each(['{ "message": "request to https://registry.example failed", "error": {} }', '', '<html>'])(
    'reports that no registry answered, and goes on: %s',
    async (said) => {
      const { code, out } = await npmThatSays(said, 1, 'npm error code ENOTFOUND', 1)
      expect(out).toMatch(
        /^no advisory source could be reached, nothing was audited: .+\nno signatures could be verified: /,
      )
      expect(code).toBe(0)
    },
  )

  test('fails for a signature that does not match', async () => {
    const { code, out } = await npmThatSays(
      found('low', 0),
      0,
      '1 package has an invalid registry signature:\nleaky',
      1,
    )
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('leaky') })
  })
})

describe('the workflows', () => {
  const uses = async (): Promise<readonly string[]> => {
    const workflows = join(root, '.github/workflows')
    const files = (await readdir(workflows)).map((file) => join(workflows, file))
    const texts = await Promise.all(
      [...files, join(root, 'contract-tests/action.yml')].map((file) => readFile(file, 'utf8')),
    )
    return texts.flatMap((text) => text.match(/^.*\buses:.*$/gm) ?? [])
  }
  const PINNED = /^\s*(- )?uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/

  test('pin every action by its commit, and name its version', async () => {
    const taken = await uses()
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.filter((line) => !PINNED.test(line))).toEqual([])
    const byVersion = new Map(
      taken.map((line) => line.trim().replace(/^- /, '')).map((line) => [line.split('@')[0], line]),
    )
    expect(
      taken.filter((line) => !line.endsWith(byVersion.get(line.trim().replace(/^- /, '').split('@')[0]) ?? '')),
    ).toEqual([])
  })

  test('a tag or a branch is no commit', () => {
    for (const line of ['      - uses: actions/checkout@v4', '      - uses: actions/checkout@main # v4.2.2'])
      expect(PINNED.test(line)).toBe(false)
  })
})

test('DEPENDENCIES.md has a reason for each package that is installed', async () => {
  const page = await readFile(join(root, '.github/DEPENDENCIES.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
  const names = (name: string, row: string): boolean =>
    row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : name === row
  const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
  const installed = new Set<string>()
  for (const folder of [
    '',
    '.ci/nightly-tools',
    'client',
    'contract-tests',
    'contract-tests/schemathesis-runner-wrapper',
    'openapi/operators/simulator',
    'server/rails/package',
  ]) {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Partial<
      Record<(typeof KINDS)[number], Readonly<Record<string, string>>>
    >
    for (const kind of KINDS) for (const name of Object.keys(manifest[kind] ?? {})) installed.add(name)
  }
  expect([...installed].filter((name) => !rows.some((row) => names(name, row)))).toEqual([])
  expect(rows.filter((row) => ![...installed].some((name) => names(name, row)))).toEqual([])
})
