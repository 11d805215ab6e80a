"""Compiles C# where there is a runtime of .NET without its SDK: csc.py ROSLYN_FOLDER DOTNET_FOLDER FILE...

Each file becomes a program beside it. What the compiler says is printed, and one warning is enough to end with 1.
"""

import sys
from pathlib import Path

from clr_loader import get_coreclr
from pythonnet import set_runtime

roslyn, dotnet, *files = (Path(argument) for argument in sys.argv[1:])
config = dotnet.parent / "runtimeconfig.json"
set_runtime(get_coreclr(runtime_config=str(config), dotnet_root=str(dotnet)))

import clr  # noqa: E402  The runtime has to be chosen first.

clr.AddReference(str(roslyn / "Microsoft.CodeAnalysis"))
clr.AddReference(str(roslyn / "Microsoft.CodeAnalysis.CSharp"))

from Microsoft.CodeAnalysis import (  # noqa: E402
    DiagnosticSeverity,
    FileSystemExtensions,
    MetadataReference,
    NullableContextOptions,
    OutputKind,
    SyntaxTree,
)
from Microsoft.CodeAnalysis.CSharp import (  # noqa: E402
    CSharpCompilation,
    CSharpCompilationOptions,
    CSharpSyntaxTree,
)
from System.Collections.Generic import List  # noqa: E402

(framework,) = (dotnet / "shared" / "Microsoft.NETCore.App").iterdir()
references = List[MetadataReference]()
for library in framework.glob("*.dll"):
    references.Add(MetadataReference.CreateFromFile(str(library)))
# As a project has it that the SDK makes.
options = CSharpCompilationOptions(OutputKind.ConsoleApplication)
options = options.WithNullableContextOptions(NullableContextOptions.Enable)

faults = []
for file in files:
    trees = List[SyntaxTree]()
    trees.Add(CSharpSyntaxTree.ParseText(file.read_text("utf-8"), path=file.name))
    compilation = CSharpCompilation.Create(file.stem, trees, references, options)
    emitted = FileSystemExtensions.Emit(compilation, str(file.with_suffix(".dll")))
    said = (each for each in emitted.Diagnostics if each.Severity >= DiagnosticSeverity.Warning)
    faults += [each.ToString() for each in said]
print("\n".join(faults))
sys.exit(1 if faults else 0)
