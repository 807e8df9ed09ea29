//! Bytes read as a script of choices, for what the fuzz targets drive ([`crate::fuzzing`]).
/// Reads numbers and pieces of a script; past its end everything is zero and empty.
pub struct Script<'a>(pub &'a [u8]);
impl<'a> Script<'a> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }
    /// Small numbers mostly, any number sometimes.
    pub fn number(&mut self) -> u64 {
        let shape = self.byte();
        let n = [0, 1, 2, 8][shape as usize & 3];
        let mut b = [0; 8];
        for (i, x) in self.take(n).iter().enumerate() {
            b[i] = *x;
        }
        let v = u64::from_le_bytes(b);
        if shape & 4 != 0 { v.wrapping_neg() } else { v }
    }
    pub fn take(&mut self, n: usize) -> &'a [u8] {
        let (a, b) = self.0.split_at(n.min(self.0.len()));
        self.0 = b;
        a
    }
}
