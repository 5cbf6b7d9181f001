import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { classNames } from '@fairlot/ui/class-names.ts'
import { useId } from 'react'
import { RichTextBar } from './rich-text-bar.tsx'
import { RichTextPicture } from './rich-text-picture.ts'
import './rich-text.css'

type RichTextFieldProps = {
  label: string
  /** HTML that the field begins with: give it another key for another text. */
  initial: string
  lang: string
  dir: 'rtl' | 'ltr'
  isReadOnly: boolean
  onChange: (html: string) => void
}

const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    link: { openOnClick: false, autolink: false, protocols: ['http', 'https'] },
  }),
  RichTextPicture,
]

/** A text with headings, lists and links. What it makes is cleaned again by the server: this is for comfort, not for safety. */
export function RichTextField({ label, initial, lang, dir, isReadOnly, onChange }: RichTextFieldProps) {
  const id = useId()
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: initial,
    editable: !isReadOnly,
    onUpdate: ({ editor: current }) => onChange(current.isEmpty ? '' : current.getHTML()),
    editorProps: {
      attributes: {
        ...{ role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': id, lang, dir },
        class: 'rich-text min-h-64 px-3 py-2 text-body outline-none',
      },
    },
  })
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={id} className="text-tiny text-second">
        {label}
      </span>
      <div className={classNames('rounded-field bg-page', 'focus-within:ring-1 focus-within:ring-ink')}>
        {!isReadOnly && <Bar editor={editor} />}
        <EditorContent editor={editor} />
      </div>
    </div>
  )
}

function Bar({ editor }: { editor: Editor }) {
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      underline: current.isActive('underline'),
      heading: current.isActive('heading', { level: 2 }),
      bulletList: current.isActive('bulletList'),
      orderedList: current.isActive('orderedList'),
      blockquote: current.isActive('blockquote'),
      link: current.isActive('link'),
    }),
  })
  return <RichTextBar editor={editor} state={state} />
}
