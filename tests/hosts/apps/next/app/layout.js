export const metadata = { title: 'An app of Next', icons: 'data:,' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
