//! view_model
