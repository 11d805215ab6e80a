import { findDotnet, installDotnet } from './dotnet.ts'

// Installs the C# compiler for the samples where there is no .NET SDK: node
// contract-tests/consumers/samples/install-dotnet.ts

if (findDotnet() === undefined) {
  const found = await installDotnet()
  if ('missing' in found) {
    console.error(found.missing)
    process.exitCode = 1
  }
}
