import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tableText } from '../../../server/admin/cli/output.ts'
import { firstError, install, isInstalled, runLines, type Generator, type ShellResult } from './generator.ts'

/** Result of one generator. A step is `yes`, the first error line, or `-` when it was not reached. */
export interface Row {
  readonly generator: string
  readonly version: string
  readonly language: string
  readonly reads: string
  /** The issue that explains why it reads 3.0. */
  readonly older?: string
  readonly generated: string
  readonly compiled: string
  readonly called: string
  /** Warnings that nobody has explained: each one is a failure. */
  readonly warnings: readonly string[]
  /** Explained warnings, counted, with the reason. */
  readonly explained: readonly { readonly count: number; readonly why: string }[]
  /** Why it did not run; such a row has neither passed nor failed. */
  readonly missing?: string
}

interface MatrixOptions {
  readonly generators: readonly Generator[]
  readonly url: string
  readonly cache: string
  readonly install: boolean
  /** Parent folder; each generator works in a folder of its own in it. */
  readonly workFolder: string
  readonly onRow: (row: Row) => void
}

const WARNING = /\bwarn(ing)?\b|\berror\b|unused model/i
const ACCEPTED = /^accepted (\S+)$/m
const NOT_REACHED = '-'
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Failed, or printed a warning that nobody has explained. */
export const hasFailed = ({ missing, generated, compiled, called, warnings }: Row): boolean =>
  missing === undefined && ([generated, compiled, called].some((step) => step !== 'yes') || warnings.length > 0)

/** Runs each generator in turn: generate, compile, call. A generator that is not installed is reported as missing. */
export async function runMatrix({ generators, workFolder, onRow, ...where }: MatrixOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const generator of generators) {
    const folder = join(workFolder, generator.name.replaceAll(' ', '-'))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const row = await rowOf(generator, folder, where)
    rows.push(row)
    onRow(row)
  }
  return rows
}

async function rowOf(
  generator: Generator,
  cwd: string,
  { url, cache, install: installs }: Pick<MatrixOptions, 'url' | 'cache' | 'install'>,
): Promise<Row> {
  const { name, version, language, reads, older, installation, generate, compile, call } = generator
  const row: Row = {
    generator: name,
    version,
    language,
    reads,
    ...(older !== undefined && { older }),
    generated: NOT_REACHED,
    compiled: NOT_REACHED,
    called: NOT_REACHED,
    warnings: [],
    explained: [],
  }
  const env = {
    JOB: cwd,
    URL: url,
    CONTRACT: at(`../../../generated/openapi${reads === '3.0' ? '-3.0' : ''}.json`),
    FILES: at('.'),
    MODULES: at('../../../node_modules'),
    CACHE: join(cache, installation?.name ?? ''),
  }
  const missing = await missingFor(generator, { cache, env, installs })
  if (missing !== undefined) return { ...row, missing }

  const generated = await runLines(generate, { cwd, env })
  const reported = { ...row, generated: outcome(generated), ...warningsOf(generator, generated) }
  if (generated.code !== 0) return reported
  const compiled = await runLines(compile, { cwd, env })
  if (compiled.code !== 0) return { ...reported, compiled: outcome(compiled) }
  const called = await runLines(call, { cwd, env })
  return {
    ...reported,
    compiled: 'yes',
    called: called.code === 0 ? await knownToGateway(called, url) : outcome(called),
  }
}

async function missingFor(
  { needs = {}, installation }: Generator,
  given: { readonly cache: string; readonly env: Readonly<Record<string, string>>; readonly installs: boolean },
): Promise<string | undefined> {
  for (const [what, lines] of Object.entries(needs)) if ((await runLines(lines)).code !== 0) return `no ${what}`
  if (!installation || (await isInstalled(installation, given.cache))) return undefined
  return given.installs
    ? install(installation, given.cache, given.env)
    : `${installation.name} is not installed (npm run generators installs it)`
}

const outcome = ({ code, output }: ShellResult): string => (code === 0 ? 'yes' : firstError(output))

function warningsOf({ explained = [] }: Generator, { output }: ShellResult): Pick<Row, 'warnings' | 'explained'> {
  const lines = output.split('\n').filter((line) => WARNING.test(line))
  const reasons = explained.map(({ line, why }) => ({ why, count: lines.filter((each) => line.test(each)).length }))
  return {
    warnings: lines.filter((each) => !explained.some(({ line }) => line.test(each))).map((line) => line.trim()),
    explained: reasons.filter(({ count }) => count > 0),
  }
}

/** The client's own output is not enough: the gateway must know the collection. */
async function knownToGateway({ output }: ShellResult, url: string): Promise<string> {
  const reference = ACCEPTED.exec(output)?.[1]
  if (reference === undefined) return `no collection was accepted: ${firstError(output)}`
  const reply = await fetch(`${url}/data/transaction/verify/${reference}`, {
    headers: { 'public-key': 'pub_sandbox_demo', 'x-api-version': '1' },
  })
  return reply.status === 200 ? 'yes' : `the gateway does not know ${reference}: ${reply.status}`
}

/** The table, then the failures, then why the other warnings do not matter. */
export function matrixText(rows: readonly Row[]): string {
  const table = tableText<Row>(
    rows,
    [
      { title: 'GENERATOR', of: ({ generator }) => generator },
      { title: 'VERSION', of: ({ version }) => version },
      { title: 'LANGUAGE', of: ({ language }) => language },
      { title: 'OPENAPI', of: ({ reads, older }) => (older === undefined ? reads : `${reads} (${older})`) },
      { title: 'GENERATED', of: ({ missing, generated }) => (missing === undefined ? shown(generated) : 'missing') },
      { title: 'WARNINGS', of: warningsShown },
      { title: 'COMPILED', of: ({ compiled }) => shown(compiled) },
      { title: 'CALLED', of: ({ called }) => shown(called) },
    ],
    Number.POSITIVE_INFINITY,
  )
  const lines = rows.flatMap(({ generator, missing, generated, compiled, called, warnings, explained }) => [
    ...(missing === undefined ? [] : [`${generator}: missing: ${missing}`]),
    ...Object.entries({ generated, compiled, called })
      .filter(([, step]) => shown(step) === 'no')
      .map(([step, why]) => `${generator}: not ${step}: ${why}`),
    ...[...new Set(warnings)].map((warning) => `${generator}: not explained: ${warning}`),
    ...explained.map(({ count, why }) => `${generator}: ${count} explained: ${why}`),
  ])
  const missing = rows.filter((row) => row.missing !== undefined).length
  const failed = rows.filter(hasFailed).length
  return [
    table,
    '',
    ...lines,
    `${rows.length - missing - failed} of ${rows.length} generators work, ${failed} failed, ${missing} missing`,
  ].join('\n')
}

const shown = (step: string): string => (step === 'yes' || step === '-' ? step : 'no')

function warningsShown({ missing, warnings, explained }: Row): string {
  if (missing !== undefined) return '-'
  const count = explained.reduce((sum, each) => sum + each.count, 0)
  const parts = [
    ...(warnings.length > 0 ? [`${warnings.length} not explained`] : []),
    ...(count > 0 ? [`${count} explained`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'none'
}
