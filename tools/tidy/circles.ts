import { importsOf } from './imports.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, type Tree } from './tree.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** Each file with the files it imports, be it types alone. */
function graphOf(tree: Tree): Graph {
  const targetsOf = (path: string): string[] => {
    const file = tree.get(path)
    const imports = file ? importsOf(tree, file) : []
    return [...new Set(imports.flatMap(({ target }) => (target !== null && tree.has(target) ? target : [])))]
  }
  return new Map(codeFiles(tree).map(({ path }) => [path, targetsOf(path)]))
}

/** Files that reach each other, by Tarjan's algorithm; one that imports only itself is none. Sorted by path. */
function circlesIn(graph: Graph): string[][] {
  const places = new Map<string, { readonly order: number; low: number; isOpen: boolean }>()
  const open: string[] = []
  const circles: string[][] = []
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
      const circle = open.splice(open.indexOf(path))
      for (const each of circle) (places.get(each) ?? place).isOpen = false
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return place
  }
  for (const path of graph.keys()) if (!places.has(path)) visit(path)
  return circles
}

const findingsIn = (tree: Tree): Finding[] =>
  circlesIn(graphOf(tree)).flatMap((circle) =>
    circle.map((path) => ({
      path,
      message: `is in a circle of imports, types included (${circle.join(', ')}): move what two of them need to a file of its own.`,
    })),
  )

export const circles: Rule = {
  name: 'circles',
  says: 'No file imports itself by way of others, not even for a type.',
  look: (tree) => ({ looked: codeFiles(tree).length, findings: findingsIn(tree) }),
}
