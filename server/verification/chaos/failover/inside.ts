// The drill itself, in namespaces of its own: cli.ts starts it there, and every process that it starts ends with it.
import { failoverDrill } from './drill.ts'
import { readOptions } from './options.ts'
import { keepReport, lineOf, summaryOf } from './report.ts'

async function main([folder = '', ...args]: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'string') throw new Error('help is printed in the wrong place')
  const report = await failoverDrill(folder, options, {
    progress: (line) => console.log(`  ${line}`),
    fault(result, n) {
      console.log(`  ${n}/${options.faults} ${lineOf(result)}`)
      for (const finding of result.findings) console.error(`    ${finding}`)
    },
  })
  await keepReport(report)
  console.log(summaryOf(report))
  for (const finding of report.findings) console.error(`  ${finding}`)
  if (report.findings.length === 0) return 0
  console.error(`again with: npm run failover -- ${report.arguments}`)
  return 1
}

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error('the drill itself failed:', error)
    return 2
  }),
)
