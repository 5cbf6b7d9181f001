import type { Editor } from '@tiptap/react'
import { classNames } from '@fairlot/ui/class-names.ts'
import { Icon } from '@fairlot/ui/icon.tsx'
import {
  Bold,
  Heading2,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  Quote,
  Redo2,
  Underline,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { LinkDialog } from './link-dialog.tsx'
import { PictureDialog } from './picture-dialog.tsx'

type BarState = Readonly<
  Record<
    'bold' | 'italic' | 'underline' | 'heading' | 'bulletList' | 'orderedList' | 'blockquote' | 'link',
    boolean
  >
>

type Tool = { label: string; icon: LucideIcon; isOn?: boolean; onPress: () => void }

/** What can be done to the text that is selected. */
export function RichTextBar({ editor, state }: { editor: Editor; state: BarState }) {
  const [asked, setAsked] = useState<'link' | 'picture' | null>(null)
  const chain = () => editor.chain().focus()
  const tools: readonly Tool[] = [
    {
      label: 'Heading',
      icon: Heading2,
      isOn: state.heading,
      onPress: () => chain().toggleHeading({ level: 2 }).run(),
    },
    { label: 'Bold', icon: Bold, isOn: state.bold, onPress: () => chain().toggleBold().run() },
    { label: 'Italic', icon: Italic, isOn: state.italic, onPress: () => chain().toggleItalic().run() },
    {
      label: 'Underline',
      icon: Underline,
      isOn: state.underline,
      onPress: () => chain().toggleUnderline().run(),
    },
    { label: 'List', icon: List, isOn: state.bulletList, onPress: () => chain().toggleBulletList().run() },
    {
      label: 'Numbered list',
      icon: ListOrdered,
      isOn: state.orderedList,
      onPress: () => chain().toggleOrderedList().run(),
    },
    { label: 'Quote', icon: Quote, isOn: state.blockquote, onPress: () => chain().toggleBlockquote().run() },
    { label: 'Link', icon: Link, isOn: state.link, onPress: () => setAsked('link') },
    { label: 'Picture', icon: ImagePlus, onPress: () => setAsked('picture') },
    { label: 'Undo', icon: Undo2, onPress: () => chain().undo().run() },
    { label: 'Redo', icon: Redo2, onPress: () => chain().redo().run() },
  ]
  return (
    <div role="toolbar" aria-label="Text" className="flex flex-wrap border-b border-line px-1">
      {tools.map(({ label, icon, isOn, onPress }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={isOn}
          onClick={onPress}
          className={classNames(
            'inline-grid size-11 place-items-center rounded-field',
            isOn ? 'text-ink ring-1 ring-line ring-inset' : 'text-second hover:text-ink',
          )}
        >
          <Icon of={icon} size={18} />
        </button>
      ))}
      {asked === 'link' && <LinkDialog editor={editor} onClose={() => setAsked(null)} />}
      {asked === 'picture' && <PictureDialog editor={editor} onClose={() => setAsked(null)} />}
    </div>
  )
}
