import { randomBytes, randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

type Point = readonly [x: number, y: number]
type Stroke = readonly [from: Point, to: Point]

const WIDTH = 160
const HEIGHT = 60
const CELL = 28
/** Lines across the digits, and the depth of the noise. */
const CROSSINGS = 4
const GRAIN = 40

/** Digits as strokes through the corners of a box one wide and two high. */
const SHAPES: Readonly<Record<string, readonly Point[]>> = {
  '0': [
    [0.2, 0],
    [0.8, 0],
    [1, 0.5],
    [1, 1.5],
    [0.8, 2],
    [0.2, 2],
    [0, 1.5],
    [0, 0.5],
    [0.2, 0],
  ],
  '1': [
    [0.1, 0.5],
    [0.6, 0],
    [0.6, 2],
  ],
  '2': [
    [0, 0.4],
    [0.3, 0],
    [0.8, 0],
    [1, 0.5],
    [0, 2],
    [1, 2],
  ],
  '3': [
    [0, 0.1],
    [0.7, 0],
    [1, 0.5],
    [0.6, 0.9],
    [0.3, 0.95],
    [0.6, 1],
    [1, 1.5],
    [0.7, 2],
    [0, 1.9],
  ],
  '4': [
    [0.8, 2],
    [0.8, 0],
    [0, 1.4],
    [1.05, 1.4],
  ],
  '5': [
    [0.95, 0],
    [0.1, 0],
    [0.05, 0.9],
    [0.7, 0.8],
    [1, 1.4],
    [0.7, 2],
    [0, 1.9],
  ],
  '6': [
    [0.9, 0],
    [0.2, 0.7],
    [0, 1.4],
    [0.3, 2],
    [0.8, 1.9],
    [1, 1.4],
    [0.6, 1],
    [0.05, 1.3],
  ],
  '7': [
    [0, 0],
    [1, 0],
    [0.4, 2],
  ],
  '8': [
    [0.5, 0.9],
    [0.1, 0.5],
    [0.5, 0],
    [0.9, 0.5],
    [0.5, 0.9],
    [0, 1.5],
    [0.5, 2],
    [1, 1.5],
    [0.5, 0.9],
  ],
  '9': [
    [0.95, 0.7],
    [0.5, 1],
    [0, 0.6],
    [0.3, 0],
    [0.8, 0.1],
    [0.95, 0.7],
    [0.6, 2],
  ],
}

const FRACTIONS = 1_000
const between = (least: number, most: number): number =>
  least + (randomInt(FRACTIONS) / FRACTIONS) * (most - least)

/** A PNG of digits, bent and crossed out: pixels, so that no text or path can be read out of it. */
export function drawDigits(digits: string): Buffer {
  const strokes = [
    ...Array.from(digits).flatMap((digit, index) => strokesOf(SHAPES[digit] ?? [], 14 + index * CELL)),
    ...Array.from({ length: CROSSINGS }, (): Stroke => [
      [between(0, 30), between(5, HEIGHT - 5)],
      [between(WIDTH - 30, WIDTH), between(5, HEIGHT - 5)],
    ]),
  ]
  const wave = { height: between(2, 4), length: between(18, 30), start: between(0, 6) }
  const lines = strokes.map((stroke, index): Line => {
    const isDigit = index < strokes.length - CROSSINGS
    return { stroke, reach: (isDigit ? between(1.4, 2.2) : between(0.5, 0.9)) + 0.5 }
  })
  const noise = randomBytes(WIDTH * HEIGHT)
  const pixels = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const bent = y + wave.height * Math.sin(x / wave.length + wave.start)
      const grain = (noise[y * WIDTH + x] ?? 0) % GRAIN
      // The first byte of a row names its filter: none.
      pixels[y * (WIDTH + 1) + 1 + x] = Math.max(0, 255 - 205 * inkAt(lines, x, bent) - grain)
    }
  }
  return png(pixels)
}

type Line = { readonly stroke: Stroke; readonly reach: number }

/** How black a point is, from 0 to 1. */
function inkAt(lines: readonly Line[], x: number, y: number): number {
  let ink = 0
  for (const { stroke, reach } of lines) ink = Math.max(ink, reach - distance(x, y, stroke))
  return Math.min(ink, 1)
}

/** A digit at its place: turned, leant and stretched a little. */
function strokesOf(shape: readonly Point[], left: number): Stroke[] {
  const [width, height, lean, turn] = [
    between(13, 17),
    between(14, 18),
    between(-0.2, 0.2),
    between(-0.25, 0.25),
  ]
  const [shiftX, shiftY] = [between(-2, 2), between(-4, 4)]
  const placed = shape.map(([unitX, unitY]): Point => {
    const x = (unitX - 0.5 + lean * (1 - unitY)) * width
    const y = (unitY - 1) * height
    return [
      left + width / 2 + shiftX + x * Math.cos(turn) - y * Math.sin(turn),
      HEIGHT / 2 + shiftY + x * Math.sin(turn) + y * Math.cos(turn),
    ]
  })
  return placed.slice(1).map((to, index): Stroke => [placed[index] ?? to, to])
}

function distance(x: number, y: number, [[fromX, fromY], [toX, toY]]: Stroke): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY]
  const length = alongX * alongX + alongY * alongY
  const part = length === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / length
  const nearest = Math.min(Math.max(part, 0), 1)
  return Math.hypot(x - fromX - nearest * alongX, y - fromY - nearest * alongY)
}

/** Eight bits of grey. */
function png(rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header[8] = 8
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
