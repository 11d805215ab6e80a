import { findDotnet, installDotnet } from './dotnet.ts'

// Puts there what compiles the samples in C#, where no SDK of .NET does: node contract-tests/consumers/samples/install-dotnet.ts

if (findDotnet() === undefined) {
  const found = await installDotnet()
  if ('missing' in found) {
    console.error(found.missing)
    process.exitCode = 1
  }
}
