import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstError } from './cache.ts'
import type { Generator, Job } from './generator.ts'
import type { ToolResult } from './run-tool.ts'

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
const contractAt = (file: string): string => fileURLToPath(new URL(`../../../generated/${file}`, import.meta.url))

/** Failed, or printed a warning that nobody has explained. */
export const hasFailed = ({ missing, generated, compiled, called, warnings }: Row): boolean =>
  missing === undefined && ([generated, compiled, called].some((step) => step !== 'yes') || warnings.length > 0)

/** Runs each generator in turn: generate, compile, call. A generator that is not installed is reported as missing. */
export async function runMatrix({ generators, url, cache, install, workFolder, onRow }: MatrixOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const generator of generators) {
    const folder = join(workFolder, generator.name.replaceAll(' ', '-'))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const job = { folder, url, contract31: contractAt('openapi.json'), contract30: contractAt('openapi-3.0.json') }
    const row = await rowOf(generator, job, { cache, install })
    rows.push(row)
    onRow(row)
  }
  return rows
}

async function rowOf(generator: Generator, job: Job, where: Pick<MatrixOptions, 'cache' | 'install'>): Promise<Row> {
  const { name, version, language, reads, older } = generator
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
  const found = await generator.find(where)
  if ('missing' in found) return { ...row, missing: found.missing }

  const generated = await generator.generate(found.tool, job)
  const reported = { ...row, generated: outcome(generated), ...warningsOf(generator, generated) }
  if (generated.code !== 0) return reported
  const compiled = await generator.compile(found.tool, job)
  if (compiled.code !== 0) return { ...reported, compiled: outcome(compiled) }
  const called = await generator.call(found.tool, job)
  return {
    ...reported,
    compiled: 'yes',
    called: called.code === 0 ? await knownToGateway(called, job.url) : outcome(called),
  }
}

const outcome = ({ code, output }: ToolResult): string => (code === 0 ? 'yes' : firstError(output))

function warningsOf({ explained }: Generator, { output }: ToolResult): Pick<Row, 'warnings' | 'explained'> {
  const lines = output.split('\n').filter((line) => WARNING.test(line))
  const reasons = explained.map(({ line, why }) => ({ why, count: lines.filter((each) => line.test(each)).length }))
  return {
    warnings: lines.filter((each) => !explained.some(({ line }) => line.test(each))).map((line) => line.trim()),
    explained: reasons.filter(({ count }) => count > 0),
  }
}

/** The client's own output is not enough: the gateway must know the collection. */
async function knownToGateway({ output }: ToolResult, url: string): Promise<string> {
  const reference = ACCEPTED.exec(output)?.[1]
  if (reference === undefined) return `no collection was accepted: ${firstError(output)}`
  const reply = await fetch(`${url}/data/transaction/verify/${reference}`, {
    headers: { 'public-key': 'pub_sandbox_demo', 'x-api-version': '1' },
  })
  return reply.status === 200 ? 'yes' : `the gateway does not know ${reference}: ${reply.status}`
}
