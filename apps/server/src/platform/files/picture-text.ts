/**
 * The words of a picture, for comparing receipts. Two receipts of one app share its layout and its labels, and differ in
 * amount, time and number. So the picture is cut into its pieces of text, each is described by itself, at any size and
 * place, and two pictures are the same if hardly a piece between their first and last common one differs. What was cut
 * off above or below does not count.
 */

/** Grey pixels, row by row. */
export type Grey = { readonly pixels: Uint8Array; readonly width: number; readonly height: number }

/** A piece of text: words that stand together in one line. */
export type TextPiece = {
  /** Width divided by height. */
  readonly ratio: number
  /** For each of 32 columns and 8 rows whether it has more ink than the average; 256 bits in hex. */
  readonly shape: string
  /** The same for 6 columns and 3 rows, with the ratio: equal for most copies of a piece, so that an index finds them. */
  readonly mark: string
}

/** The step between two neighbours that is an edge of a letter, and not an artefact of compression. */
const EDGE = 28
/** Strokes that a row of text crosses, counted by their edges: the outline of a frame or an icon has two. */
const ROW_EDGES_MIN = 4
/** Differences from the paper that compression makes. */
const FAINT = 16
/** Smaller pieces, in pixels, are dots and lines. */
const PIECE_HEIGHT_MIN = 6
const PIECE_WIDTH_MIN = 8
/** What letters reach above and below the others, in heights of the line. */
const ENDS = 0.4
/** Words that are further apart, in heights of the line, are two pieces: a label and its value. */
const GAP = 1.4
/** The pieces of a picture; further ones are left out. */
const PIECES_MAX = 60
const SHAPE = { columns: 32, rows: 8 } as const
const MARK = { columns: 6, rows: 3 } as const

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** The pieces of text from top to bottom, and from left to right in a line. */
export function textPiecesOf(grey: Grey): readonly TextPiece[] {
  const edges = edgesOf(grey)
  const pieces: TextPiece[] = []
  for (const line of linesOf(grey, edges))
    for (const box of piecesOf(grey, edges, line)) {
      if (pieces.length === PIECES_MAX) return pieces
      pieces.push(described(grey, box))
    }
  return pieces
}

/** 1 where a pixel differs much from its right neighbour. */
function edgesOf({ pixels, width, height }: Grey): Uint8Array {
  const edges = new Uint8Array(width * height)
  for (let row = 0; row < height; row += 1)
    for (let at = row * width; at < (row + 1) * width - 1; at += 1)
      if (Math.abs((pixels[at + 1] ?? 0) - (pixels[at] ?? 0)) >= EDGE) edges[at] = 1
  return edges
}

type Span = { readonly from: number; readonly to: number }

/** The runs of places that are true, from `from` to before `to`; runs at most `gap` apart are one. */
function spansOf(length: number, isIn: (at: number) => boolean, gap: number): Span[] {
  const spans: { from: number; to: number }[] = []
  for (let at = 0; at < length; at += 1) {
    if (!isIn(at)) continue
    const last = spans.at(-1)
    if (last && at - last.to <= gap) last.to = at + 1
    else spans.push({ from: at, to: at + 1 })
  }
  return spans
}

function linesOf({ width, height }: Grey, edges: Uint8Array): Span[] {
  const counts = Array.from({ length: height }, (_, row) => {
    let count = 0
    for (let at = row * width; at < (row + 1) * width; at += 1)
      if (edges[at] === 1 && edges[at - 1] !== 1) count += 1
    return count
  })
  const lines = spansOf(height, (row) => (counts[row] ?? 0) >= ROW_EDGES_MIN, 1)
  return lines
    .filter(({ from, to }) => to - from >= PIECE_HEIGHT_MIN)
    .map(({ from, to }) => {
      // The ends of a few letters cross less than the middle of a line does.
      const most = Math.round((to - from) * ENDS)
      const hasInk = (row: number) => (counts[row] ?? 0) > 0
      let [up, down] = [0, 0]
      while (up < most && hasInk(from - up - 1)) up += 1
      while (down < most && hasInk(to + down)) down += 1
      return { from: from - up, to: to + down }
    })
}

function piecesOf({ width }: Grey, edges: Uint8Array, line: Span): Box[] {
  const hasEdge = (column: number) => {
    for (let row = line.from; row < line.to; row += 1) if (edges[row * width + column] === 1) return true
    return false
  }
  return spansOf(width, hasEdge, Math.round((line.to - line.from) * GAP)).flatMap(({ from, to }) => {
    const isIn = (row: number) => {
      for (let column = from; column < to; column += 1) if (edges[row * width + column] === 1) return true
      return false
    }
    const rows = spansOf(line.to - line.from, (row) => isIn(line.from + row), line.to - line.from)[0]
    if (!rows || to - from < PIECE_WIDTH_MIN || rows.to - rows.from < PIECE_HEIGHT_MIN) return []
    return [{ left: from, right: to + 1, top: line.from + rows.from, bottom: line.from + rows.to }]
  })
}

function described(grey: Grey, found: Box): TextPiece {
  const paper = paperOf(grey, found)
  const frame = frameOf(grey, found, paper)
  const ratio = (frame.right - frame.left) / (frame.bottom - frame.top)
  const piece = { found, frame, paper }
  return {
    ratio,
    shape: hexOf(inked(grey, piece, SHAPE)),
    mark: `${Math.round(2 * Math.log2(ratio))} ${hexOf(inked(grey, piece, MARK))}`,
  }
}

/** Pixels between a piece and its paper above and below, where compression smears no ink. */
const MARGIN = 2

/** The grey of the paper: that of the middle one of the pixels above and below the piece. */
function paperOf({ pixels, width, height }: Grey, { left, right, top, bottom }: Box): number {
  const around = [Math.max(0, top - MARGIN), Math.min(height - 1, bottom - 1 + MARGIN)].flatMap((row) => [
    ...pixels.subarray(row * width + left, row * width + right),
  ])
  return around.toSorted((one, other) => one - other)[around.length >> 1] ?? 0
}

/** How far even ink reaches from its middle, in standard deviations. */
const REACH = Math.sqrt(3)

/**
 * Where the ink is, in fractions of pixels: from its middle as far as its spread. The outermost pixels would say it too
 * coarsely of small letters, and change with the compression.
 */
function frameOf({ pixels, width }: Grey, box: Box, paper: number): Box {
  let [ink, x, y, xx, yy] = [0, 0, 0, 0, 0]
  for (let row = box.top; row < box.bottom; row += 1)
    for (let column = box.left; column < box.right; column += 1) {
      const weight = Math.abs((pixels[row * width + column] ?? 0) - paper)
      if (weight <= FAINT) continue
      ink += weight
      x += weight * column
      y += weight * row
      xx += weight * column * column
      yy += weight * row * row
    }
  if (ink === 0) return box
  const spanOf = (sum: number, squares: number) => {
    const middle = sum / ink
    const reach = REACH * Math.sqrt(Math.max(1, squares / ink - middle * middle))
    return [middle + 0.5 - reach, middle + 0.5 + reach] as const
  }
  const [left, right] = spanOf(x, xx)
  const [top, bottom] = spanOf(y, yy)
  return { left, right, top, bottom }
}

/** `found`: in whole pixels; `frame`: where the ink is, which the grid is laid over. */
type Inked = { readonly found: Box; readonly frame: Box; readonly paper: number }

type Grid = { readonly columns: number; readonly rows: number }

/** For each cell of a grid over the box, whether it has more ink than the average of all. */
function inked({ pixels, width }: Grey, { found, frame, paper }: Inked, { columns, rows }: Grid): boolean[] {
  const cells = new Float64Array(columns * rows)
  const across = columns / (frame.right - frame.left)
  const down = rows / (frame.bottom - frame.top)
  for (let row = found.top; row < found.bottom; row += 1)
    for (let column = found.left; column < found.right; column += 1) {
      const ink = Math.abs((pixels[row * width + column] ?? 0) - paper)
      const place = { x: (column - frame.left) * across, y: (row - frame.top) * down }
      if (ink > FAINT) spread(cells, { ...place, across, down, columns, rows }, ink)
    }
  const mean = cells.reduce((sum, cell) => sum + cell, 0) / cells.length
  return [...cells].map((cell) => cell > mean)
}

type Patch = Grid & { readonly x: number; readonly y: number; readonly across: number; readonly down: number }

/** Adds a pixel to the cells that it lies on, to each by its share. */
function spread(cells: Float64Array, { x, y, across, down, columns, rows }: Patch, value: number): void {
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(rows, y + down); row += 1) {
    const high = Math.min(row + 1, y + down) - Math.max(row, y)
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(columns, x + across); column += 1) {
      const wide = Math.min(column + 1, x + across) - Math.max(column, x)
      cells[row * columns + column] = (cells[row * columns + column] ?? 0) + value * high * wide
    }
  }
}

function hexOf(bits: readonly boolean[]): string {
  let hex = ''
  for (let at = 0; at < bits.length; at += 4)
    hex += [0, 1, 2, 3].reduce((digit, bit) => digit * 2 + (bits[at + bit] ? 1 : 0), 0).toString(16)
  return hex
}

/** Two copies of a piece differ in fewer bits of their shapes. */
const SHAPE_BITS_MAX = 48
/** Two copies of a piece differ less in their ratios. */
const RATIO_MAX = 1.1
/** Other words differ in at least so many bits. In between, a piece may be a poor copy. */
const OTHER_BITS_MIN = 64
/** Values at one place of a receipt differ less in theirs. */
const OTHER_RATIO_MAX = 1.35
/** A picture with fewer pieces cannot be told by its text. */
export const PIECES_MIN = 5
/** Of the pieces between the first and the last common one, the share that may have been cut in another way. */
const UNSURE_MAX = 0.25

/** Whether two pictures show the same text, although one of them may be cut off, scaled or compressed. */
export function haveSameText(one: readonly TextPiece[], other: readonly TextPiece[]): boolean {
  const pairs = commonPieces(one, other)
  const [first, last] = [pairs[0], pairs.at(-1)]
  if (!first || !last || pairs.length < PIECES_MIN) return false
  const between = last.one - first.one + 1 + (last.other - first.other + 1)
  if (between - 2 * pairs.length > UNSURE_MAX * between) return false
  return !pairs.slice(1).some((pair, at) => {
    const before = pairs[at] ?? pair
    return areOthers(one.slice(before.one + 1, pair.one), other.slice(before.other + 1, pair.other))
  })
}

/** Whether pieces that stand at the same place have other words: as many, as wide, and not alike. */
const areOthers = (own: readonly TextPiece[], other: readonly TextPiece[]): boolean =>
  own.length === other.length &&
  own.some((piece, at) => {
    const each = other[at]
    return (
      each !== undefined &&
      ratioOf(piece, each) < OTHER_RATIO_MAX &&
      bitsBetween(piece.shape, each.shape) >= OTHER_BITS_MIN
    )
  })

type Pair = { readonly one: number; readonly other: number }

/** The longest row of pieces that both have in the same order. */
function commonPieces(one: readonly TextPiece[], other: readonly TextPiece[]): Pair[] {
  const isSame = one.map((piece) => other.map((each) => areCopies(piece, each)))
  const most = Array.from({ length: one.length + 1 }, () => Array.from({ length: other.length + 1 }, () => 0))
  const mostAt = (row: number, column: number) => most[row]?.[column] ?? 0
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const line = most[row]
      if (line)
        line[column] = isSame[row]?.[column]
          ? mostAt(row + 1, column + 1) + 1
          : Math.max(mostAt(row + 1, column), mostAt(row, column + 1))
    }
  const pairs: Pair[] = []
  for (let row = 0, column = 0; row < one.length && column < other.length;) {
    if (isSame[row]?.[column]) pairs.push({ one: row++, other: column++ })
    else if (mostAt(row + 1, column) >= mostAt(row, column + 1)) row += 1
    else column += 1
  }
  return pairs
}

const ratioOf = (one: TextPiece, other: TextPiece): number =>
  Math.max(one.ratio / other.ratio, other.ratio / one.ratio)

const areCopies = (one: TextPiece, other: TextPiece): boolean =>
  ratioOf(one, other) < RATIO_MAX && bitsBetween(one.shape, other.shape) <= SHAPE_BITS_MAX

/** Bits that differ between two numbers in hex. */
export function bitsBetween(one: string, other: string): number {
  let [bits, rest] = [0, BigInt(`0x${one}`) ^ BigInt(`0x${other}`)]
  for (; rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}
