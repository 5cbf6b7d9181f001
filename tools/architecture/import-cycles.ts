import { importsOf } from './imports.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, type Tree } from './tree.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** Each file with the files it imports, type imports included. */
function graphOf(tree: Tree): Graph {
  const targetsOf = (path: string): string[] => {
    const file = tree.get(path)
    const imports = file ? importsOf(tree, file) : []
    return [...new Set(imports.flatMap(({ target }) => (target !== null && tree.has(target) ? target : [])))]
  }
  return new Map(codeFiles(tree).map(({ path }) => [path, targetsOf(path)]))
}

/** Cycles of imports, by Tarjan's algorithm; a file that imports itself is not one. Sorted by path. */
function cyclesIn(graph: Graph): string[][] {
  const places = new Map<string, { readonly order: number; low: number; isOpen: boolean }>()
  const open: string[] = []
  const importCycles: string[][] = []
  const visit = (path: string) => {
    const place = { order: places.size, low: places.size, isOpen: true }
    places.set(path, place)
    open.push(path)
    for (const target of graph.get(path) ?? []) {
      const seen = places.get(target)
      if (!seen) place.low = Math.min(place.low, visit(target).low)
      else if (seen.isOpen) place.low = Math.min(place.low, seen.order)
    }
    if (place.low === place.order) {
      const cycle = open.splice(open.indexOf(path))
      for (const each of cycle) (places.get(each) ?? place).isOpen = false
      if (cycle.length > 1) importCycles.push(cycle.toSorted())
    }
    return place
  }
  for (const path of graph.keys()) if (!places.has(path)) visit(path)
  return importCycles
}

const findingsIn = (tree: Tree): Finding[] =>
  cyclesIn(graphOf(tree)).flatMap((cycle) =>
    cycle.map((path) => ({
      path,
      message: `is in an import cycle, types included (${cycle.join(', ')}): move what two of them need to a separate file.`,
    })),
  )

export const importCycles: Rule = {
  name: 'importCycles',
  description: 'No import cycles, type imports included.',
  check: (tree) => ({ checked: codeFiles(tree).length, findings: findingsIn(tree) }),
}
