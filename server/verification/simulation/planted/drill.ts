import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PLANTED } from './faults.ts'
import { plant } from './plant.ts'
import type { PlantedFault } from './planted-fault.ts'

const FOLDER = fileURLToPath(new URL('../../../../dist/simulation-faults/', import.meta.url))
const TIMEOUT_MS = 20 * 60_000

export interface DrillOptions {
  /** After this many schedules without a failure a fault counts as not found. */
  readonly schedules: number
  readonly jobs: number
  readonly only: readonly string[] | undefined
}

interface DetectedFault {
  readonly schedules: number
  readonly fault: string
}

/**
 * Plants each fault on its own and prints after how many schedules it was found, and by which check.
 * @returns 0 when all were found
 */
export async function drill({ schedules, jobs, only }: DrillOptions): Promise<number> {
  const faults = PLANTED.filter(({ name }) => only?.includes(name) ?? true)
  await mkdir(FOLDER, { recursive: true })
  const missed: string[] = []
  const waiting = [...faults]
  const next = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const found = await findPlanted(fault, schedules)
      if (!found) missed.push(fault.name)
      console.log(
        `${fault.name.padEnd(32)} ${found ? `schedule ${String(found.schedules).padStart(6)}  ${found.fault}` : 'NOT FOUND'}`,
      )
    }
  }
  await Promise.all(Array.from({ length: jobs }, next))
  console.log(
    `${faults.length - missed.length} of ${faults.length} planted faults found within ${schedules} schedules${missed.length === 0 ? '' : `; not: ${missed.join(', ')}`}`,
  )
  return missed.length === 0 ? 0 : 1
}

/**
 * Runs schedules on a copy with the fault until one fails.
 * @returns undefined when none does
 */
export async function findPlanted(
  fault: PlantedFault,
  schedules: number,
  firstSeed = 1,
): Promise<DetectedFault | undefined> {
  const cli = await plant(fault, FOLDER)
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      [
        cli,
        '--json',
        '--first',
        '--jobs',
        '1',
        '--seed',
        String(firstSeed),
        '--schedules',
        String(schedules),
        '--rails',
        fault.form,
      ],
      { timeout: TIMEOUT_MS, maxBuffer: 1 << 26 },
      (error, stdout, stderr) =>
        stdout === ''
          ? reject(new Error(`${fault.name} did not run: ${error?.message ?? ''} ${stderr}`))
          : resolve(stdout),
    )
  })
  const {
    failures: [first],
  } = JSON.parse(output) as { failures: { seed: number; faults: string[] }[] }
  return first && { schedules: first.seed, fault: first.faults[0] ?? '' }
}
