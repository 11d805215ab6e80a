import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { junitXml } from './junit.ts'
import type { NamedKey } from './key-ring.ts'
import { ConfigError, type RunOptions } from './options.ts'
import { createRedact, KEY_LENGTH_MIN, redactReport, type Redact } from './redact.ts'
import { sarifLog } from './sarif.ts'
import type { ToolOutput } from './tool.ts'
import type { Result } from './types.ts'

/** Writes reports without keys. */
export class ReportWriter {
  redact: Redact = (text) => text
  readonly #folder: string | undefined
  readonly #contract: RunOptions['contract']

  constructor({ reportDir, profile, contract }: Pick<RunOptions, 'reportDir' | 'profile' | 'contract'>) {
    this.#folder = reportDir === undefined ? undefined : join(reportDir, profile.name)
    this.#contract = contract
  }

  /** @throws ConfigError for a key too short to be distinguished from other text */
  hide(keys: readonly NamedKey[]): void {
    for (const [name, key] of keys)
      if (key.length < KEY_LENGTH_MIN)
        throw new ConfigError(
          `the key of ${name} has fewer than ${KEY_LENGTH_MIN} characters: it could not be distinguished from other text in the reports`,
        )
    this.redact = createRedact(keys)
  }

  async keep({ report, summary, har, output }: Omit<ToolOutput, 'isLate'>, contract: string): Promise<void> {
    if (this.#folder === undefined) return
    const whole = report.slice(0, report.lastIndexOf('\n') + 1)
    await this.#write({
      'report.ndjson': redactReport(whole, this.redact),
      'report.json': this.redact(summary),
      ...(har !== '' && { 'report.har': this.redact(har) }),
      'output.txt': this.redact(output),
      'contract.json': this.redact(contract),
    })
  }

  async keepResult(result: Result): Promise<Result> {
    if (this.#folder === undefined) return result
    const kept = { ...result, reportDir: this.#folder }
    await this.#write({
      'junit.xml': junitXml([kept]),
      'report.sarif': await sarifLog([kept], this.#contract),
      'result.json': `${JSON.stringify(kept, undefined, 2)}\n`,
    })
    return kept
  }

  async #write(files: Readonly<Record<string, string>>): Promise<void> {
    if (this.#folder === undefined) return
    await mkdir(this.#folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(this.#folder, name), text)
  }
}
