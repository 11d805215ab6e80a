import { mkdir, writeFile } from 'node:fs/promises'
import type { MutantVerdict, KillerKind } from './judge.ts'
import { whyUnnoticed } from './unobservable.ts'

export interface Score {
  readonly mutants: number
  readonly noticed: number
  /** Percentage of noticed mutants with one decimal, rounded down. */
  readonly percent: number
}

export function scoreOf(judged: readonly MutantVerdict[]): Score {
  const noticed = judged.filter(({ killer }) => killer).length
  return {
    mutants: judged.length,
    noticed,
    percent: judged.length === 0 ? 0 : Math.floor((noticed / judged.length) * 1000) / 10,
  }
}

export const unnoticed = (judged: readonly MutantVerdict[]): (MutantVerdict & { readonly why: string | undefined })[] =>
  judged.filter(({ killer }) => !killer).map((mutant) => ({ ...mutant, why: whyUnnoticed(mutant) }))

const KILLERS: readonly KillerKind[] = ['rules', 'examples', 'wire']

/** One line per operator, then every unnoticed change. */
export function tableOf(judged: readonly MutantVerdict[]): string {
  const groups = Object.entries(Object.groupBy(judged, ({ operator }) => operator)).map(
    ([operator, all = []]) => [operator, all] as const,
  )
  const line = (name: string, all: readonly MutantVerdict[]): string => {
    const { mutants, noticed, percent } = scoreOf(all)
    return [
      name.padEnd(42),
      ...[mutants, noticed, ...KILLERS.map((killer) => all.filter((mutant) => mutant.killer === killer).length)].map(
        (n) => String(n).padStart(8),
      ),
      `${percent.toFixed(1)} %`.padStart(9),
    ].join(' ')
  }
  const head = [
    'change'.padEnd(42),
    ...['mutants', 'noticed', ...KILLERS].map((name) => name.padStart(8)),
    'score'.padStart(9),
  ].join(' ')
  const left = unnoticed(judged).map(
    ({ operator, at, what, why }) => `  ${operator}: ${at}: ${what}\n    ${why ?? 'unexplained'}`,
  )
  return [
    head,
    ...groups.map(([operator, all]) => line(operator, all)),
    line('all', judged),
    '',
    left.length === 0 ? 'All were noticed.' : `Not noticed (${left.length}):`,
    ...left,
  ].join('\n')
}

/** `mutants.txt` for people, `mutants.json` for programs. */
export async function writeTable(judged: readonly MutantVerdict[], folder: URL): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('mutants.txt', folder), `${tableOf(judged)}\n`)
  await writeFile(
    new URL('mutants.json', folder),
    `${JSON.stringify({ ...scoreOf(judged), unnoticed: unnoticed(judged), mutants: judged }, null, 2)}\n`,
  )
}
