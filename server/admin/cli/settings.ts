import type { Command } from 'commander'
import { SETTINGS } from '../../settings.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { print, printJson } from './output.ts'

const plain = (markdown: string): string => markdown.replaceAll('`', '')

export const define = (command: Command): void =>
  void describeLeaf(command, `${MALIPO} settings`).action(({ json }: { readonly json?: true }) => {
    const settings = Object.values(SETTINGS).map(({ name, meaning, default: value }) => ({
      name,
      meaning: plain(meaning),
      default: plain(value),
    }))
    if (json) return printJson(settings)
    const help = command.createHelp()
    help.prepareContext({ helpWidth: process.stdout.columns })
    const width = Math.max(...settings.map(({ name }) => name.length))
    for (const { name, meaning, default: value } of settings)
      print(help.formatItem(name, width, `${meaning} (default: ${value})`, help))
  })
